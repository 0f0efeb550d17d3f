"""Comments of a PBN game: each ruling, and what PBN has no other place for.

One comment for each ruling, with its Law and edition, behind the section in which the
irregularity happened; then the calls or cards that were withdrawn, and a claim.
"""

import textwrap
from collections.abc import Iterator

from laws.rulings import Ruling, Status
from laws.state import State
from referee.catalogue import catalogue
from referee.names import seat_name
from referee.playing import Playing
from referee.settings import BoardSettings
from referee.wording import ruling_in_words

_WIDTH = 78
"""Of a line; the standard allows 255 characters."""


def auction_comments(state: State) -> list[str]:
    """The lines of the comments on the auction."""
    texts = [_ruling(state, r) for r in state.rulings if not _is_of_play(state, r)]
    gone = [
        f"{made.seat} {made.call}" for made in state.auction.calls if made.withdrawn
    ]
    if gone:
        texts.append(f"Withdrawn: {', '.join(gone)}")
    return list(_written(texts))


def play_comments(state: State) -> list[str]:
    """The lines of the comments on the play."""
    play = state.play
    if play is None:
        return []
    texts = [_ruling(state, r) for r in state.rulings if _is_of_play(state, r)]
    incidents = play.incidents
    gone = [f"{card.hand} {card.card}" for card in incidents.withdrawn]
    if gone:
        texts.append(f"Withdrawn: {', '.join(gone)}")
    claim = incidents.claim
    if claim is not None and claim.settled:
        seat = seat_name(claim.seat, catalogue("en"))
        texts.append(
            f"Claim by {seat} settled: {claim.tricks} of the {claim.remaining} tricks"
            " that remained"
        )
    return list(_written(texts))


def _is_of_play(state: State, ruling: Ruling) -> bool:
    """Whether a ruling is on what happened after the last call."""
    if state.play is None:
        return False
    return ruling.line > max(made.line for made in state.auction.calls)


def _ruling(state: State, ruling: Ruling) -> str:
    playing = Playing(1, 0, BoardSettings(number=1), state)
    told = ruling_in_words(playing, ruling, catalogue("en"))
    return f"Undone: {told}" if ruling.status is Status.SUPERSEDED else told


def _written(texts: list[str]) -> Iterator[str]:
    """Each text as a comment; braces do not nest, so those in it become brackets."""
    for text in texts:
        plain = text.replace("{", "(").replace("}", ")")
        yield from textwrap.wrap(f"{{{plain}}}", _WIDTH, break_on_hyphens=False)
