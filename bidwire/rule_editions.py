"""A script judged by both editions: side by side, and where they part."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bidwire.rule import InputError, judge_script, judged_plain
from bidwire.rule_layout import Item, Section, columns_of, merged, wrapped
from bidwire.rule_words import sections
from laws.board import Edition
from laws.report import report
from laws.rulings import Effect, Ruling
from laws.script import ScriptError, parse_script
from laws.seats import SIDES, Seat
from laws.state import State
from referee.catalogue import Catalogue, catalogue
from referee.names import contract_name, seat_name, side_name
from referee.wording import effect_in_words, irregularity_in_words

WIDTH = 80

Outcome = State | InputError
"""A judged board; in one edition of two a script may tell what cannot have happened."""

Both = Mapping[Edition, Outcome]


def judge_both(text: str) -> Both:
    """The script judged by each edition.

    Raises:
        InputError: a line cannot be read, or tells what cannot have happened in
            either edition.
    """
    try:
        parse_script(text, Edition.LAWS_2017)
    except ScriptError as error:
        raise InputError(error.reason, error.line) from None
    found: dict[Edition, Outcome] = {}
    for edition in Edition:
        try:
            found[edition] = judge_script(text, edition)
        except InputError as error:
            found[edition] = error
    errors = [found_ for found_ in found.values() if isinstance(found_, InputError)]
    if len(errors) == len(found):
        raise errors[0]
    return found


def both_plain(both: Both) -> dict[str, dict[str, Any]]:
    """The object of each edition by its year; ``error`` where there is no board."""
    return {
        edition.value: {"error": str(judged)}
        if isinstance(judged, InputError)
        else judged_plain(judged)
        for edition, judged in both.items()
    }


def both_words(both: Both, language: str = "en", *, explain: bool = False) -> str:
    """The two boards in columns, then what differs."""
    words = catalogue(language)
    left, right = (_told(both[edition], words, explain=explain) for edition in Edition)
    lines = [*columns_of(left, right, WIDTH), ""]
    parting = list(_parting(both, words))
    if parting:
        lines.append(words.text("Where the editions part:"))
        lines += [cut for line in parting for cut in wrapped(f"  {line}", WIDTH)]
    else:
        lines.append(words.text("The editions agree."))
    return "\n".join(lines) + "\n"


def _told(judged: Outcome, words: Catalogue, *, explain: bool) -> list[Section]:
    if isinstance(judged, InputError):
        return [Section("board", "", (Item(("board",), judged.in_words(words)),))]
    return sections(judged, words, explain=explain)


# Where they part ------------------------------------------------------------------


def _parting(both: Both, words: Catalogue) -> Iterator[str]:
    old, new = (both[edition] for edition in Edition)
    if isinstance(old, InputError) or isinstance(new, InputError):
        for edition, judged in both.items():
            if isinstance(judged, InputError):
                yield f"{edition}: {judged.in_words(words)}"
        return
    yield from _rulings_part(old, new, words)
    for title, one, other in _facts(old, new, words):
        if one != other:
            none = words.text("none")
            yield f"{title}:"
            yield f"  2007: {one or none}"
            yield f"  2017: {other or none}"


About = tuple[int, Seat]
"""A happening and the offender."""


def _by_happening(state: State) -> dict[About, list[Ruling]]:
    found: dict[About, list[Ruling]] = {}
    for ruling in state.rulings:
        found.setdefault((ruling.line, ruling.offender), []).append(ruling)
    return found


def _rulings_part(old: State, new: State, words: Catalogue) -> Iterator[str]:
    here, there = _by_happening(old), _by_happening(new)
    for about in sorted(merged(list(here), list(there)), key=lambda key: key[0]):
        ours = _unlike(here.get(about, []), there.get(about, []))
        theirs = _unlike(there.get(about, []), here.get(about, []))
        if not ours and not theirs:
            continue
        line = words.text("line {line}", line=about[0])
        what = irregularity_in_words((ours or theirs)[-1], None, words)
        if _effects(ours) == _effects(theirs) and ours and theirs:
            same = words.text(
                "Law {old} in 2007, Law {new} in 2017, to the same effect",
                old=_laws(ours),
                new=_laws(theirs),
            )
            yield f"{line}: {what}. {same}"
            continue
        yield f"{line}: {what}"
        yield f"  2007: {_ruled(ours, theirs, words)}"
        yield f"  2017: {_ruled(theirs, ours, words)}"


def _unlike(rulings: list[Ruling], others: list[Ruling]) -> list[Ruling]:
    """Those that the other edition does not have, or not to the same effect."""
    alike = [(other.law, other.status, _effects([other])) for other in others]
    return [r for r in rulings if (r.law, r.status, _effects([r])) not in alike]


def _laws(rulings: list[Ruling]) -> str:
    """What each ruling cites, with those that have been undone in brackets."""
    return ", ".join(
        ruling.law if ruling.status == "in-force" else f"({ruling.law})"
        for ruling in rulings
    )


def _effects(rulings: list[Ruling]) -> set[Effect]:
    """The effects of the rulings in force, whatever paragraph they are named by."""
    return {
        replace(effect, law=None)
        for ruling in rulings
        if ruling.status == "in-force"
        for effect in ruling.effects
    }


def _ruled(rulings: list[Ruling], others: list[Ruling], words: Catalogue) -> str:
    """The paragraphs, and the effects that the other edition does not have."""
    if not rulings:
        return words.text("no ruling")
    elsewhere = _effects(others)
    more = [
        effect_in_words(effect, None, words)
        for ruling in rulings
        if ruling.status == "in-force"
        for effect in ruling.effects
        if replace(effect, law=None) not in elsewhere
    ]
    law = words.text("Law {law}", law=_laws(rulings))
    return ". ".join([law, *dict.fromkeys(more)])


def _facts(old: State, new: State, words: Catalogue) -> Iterator[tuple[str, str, str]]:
    """What may differ beside the rulings: its name, and how it is in each edition."""
    tellers = {
        words.text("Auction"): _auction,
        words.text("Contract"): _contract,
        words.text("Revokes"): _revokes,
        words.text("Tricks as played"): _tricks,
        words.text("Transfer"): _transfer,
        words.text("Result"): _result,
        words.text("Questions"): _questions,
        words.text("Not allowed"): _refused,
    }
    for title, teller in tellers.items():
        yield title, teller(old, words), teller(new, words)


def _auction(state: State, _: Catalogue) -> str:
    return " ".join(f"{m.seat}:{m.call}" for m in state.auction.legal_calls)


def _contract(state: State, words: Catalogue) -> str:
    return contract_name(state.contract, words) if state.contract is not None else ""


def _revokes(state: State, words: Catalogue) -> str:
    states = {
        "corrected": words.text("corrected"),
        "correctable": words.text("correctable"),
        "established": words.text("established"),
        "suspected": words.text("suspected"),
    }
    return ", ".join(
        f"{revoke['seat']} {revoke['trick']} {states[revoke['state']]}"
        for revoke in report(state)["revokes"]
    )


def _tricks(state: State, words: Catalogue) -> str:
    won = report(state)["tricks"]
    if state.play is None:
        return ""
    return ", ".join(f"{side_name(side, words)} {won[side.value]}" for side in SIDES)


def _transfer(state: State, words: Catalogue) -> str:
    moved = report(state)["transfer"]
    if moved is None:
        return ""
    side = next(side for side in SIDES if side == moved["to"])
    return words.texts(
        "{count} trick to {side}",
        "{count} tricks to {side}",
        moved["tricks"],
        side=side_name(side, words),
    )


def _result(state: State, words: Catalogue) -> str:
    result = report(state)["result"]
    if result is None or result["declarer_tricks"] is None:
        return ""
    return words.text(
        "{tricks} tricks for declarer, {score} for North-South",
        tricks=result["declarer_tricks"],
        score=f"{result['score_NS']:+d}",
    )


def _questions(state: State, words: Catalogue) -> str:
    """To whom, and which word; the paragraph it is asked under does not matter."""
    director = words.text("Director")
    return ", ".join(
        f"{seat_name(q.to, words) if q.to is not None else director}: {q.question}"
        for q in state.questions
    )


def _refused(state: State, words: Catalogue) -> str:
    lines = [words.text("line {line}", line=r.line) for r in state.refused]
    return ", ".join(dict.fromkeys(lines))
