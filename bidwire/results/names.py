"""The players' names: a file of their own, which can be erased.

The journal, the wire and the broker's retained messages know pairs by their ids alone;
a name stands in this file, on the displays of a running event and in exports.

    [pairs.12]
    players = ["Ann Example", "Ben Example"]    # North or East first
    numbers = ["10234", ""]                     # national numbers, where there are any
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from broker.complaint import complaint

NAME_MAX = 60
"""Characters of a player's name."""

PlayerName = Annotated[
    str,
    Meta(
        max_length=NAME_MAX,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*\Z",
        description="a name on one line",
    ),
]


class NamesError(ValueError):
    """The file cannot be used: names the key and what was expected."""


class PairNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The two players of a pair, or those of a team."""

    players: Annotated[tuple[PlayerName, ...], Meta(min_length=1, max_length=8)]
    numbers: tuple[str, ...] = ()
    """National numbers in the order of the players; empty for none."""

    def number(self, place: int) -> str:
        """The national number of a player by his place, empty for none."""
        return self.numbers[place] if place < len(self.numbers) else ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pairs: dict[str, PairNames] = {}


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the pair's id; ids stand in for what is not there."""

    pairs: Mapping[str, PairNames] = field(default_factory=dict)

    def of(self, pair: str) -> str:
        """The players of a pair, empty when nobody has named them."""
        named = self.pairs.get(pair)
        return " - ".join(named.players) if named is not None else ""

    def told(self, pair: str) -> str:
        """A pair for people: its id, with the players where they are known."""
        players = self.of(pair)
        return f"{pair} {players}" if players else pair

    def displayed(self) -> dict[str, str]:
        """What the displays say for each pair that has names."""
        return {pair: self.told(pair) for pair in self.pairs}


def read_names(path: Path) -> Names:
    """Read the file.

    Raises:
        NamesError: it cannot be read, or a key is wrong.
    """
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise NamesError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NamesError(f"{path}: no TOML: {error}") from None
    try:
        return Names(msgspec.convert(plain, _File).pairs)
    except msgspec.ValidationError as error:
        raise NamesError(f"{path}: {_complaint(error, plain)}") from None


def _complaint(error: msgspec.ValidationError, plain: dict[str, Any]) -> str:
    """What is wrong with the file; msgspec does not say with which pair."""
    pairs = plain.get("pairs")
    for pair, named in pairs.items() if isinstance(pairs, dict) else ():
        try:
            msgspec.convert(named, PairNames)
        except msgspec.ValidationError as wrong:
            return f"pairs.{pair}: {complaint(wrong, PairNames, named)}"
    return complaint(error, _File, plain)


def write_names(pairs: Mapping[str, PairNames], remarks: Iterable[str] = ()) -> bytes:
    """The file's text; a remark becomes a comment at its head."""
    lines = [f"# {remark}" for remark in remarks]
    for pair, named in pairs.items():
        lines += ["", f"[pairs.{_quoted(pair)}]"]
        lines.append(f"players = [{', '.join(map(_quoted, named.players))}]")
        if named.numbers:
            lines.append(f"numbers = [{', '.join(map(_quoted, named.numbers))}]")
    return ("\n".join(lines).lstrip("\n") + "\n").encode()


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are among its own."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
