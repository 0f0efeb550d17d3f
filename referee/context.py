"""Where the board stands, in a few short lines: auction, trick, contract, result."""

from collections.abc import Sequence

from laws.auction import MadeCall
from laws.board import Board
from laws.report import report
from laws.rulings import EffectKind, Ruling, Status
from laws.seats import SEATS, SIDES, Seat
from referee.catalogue import Catalogue
from referee.fit import Block, Grid
from referee.names import contract_name, letter, seat_name, side_name
from referee.playing import Playing
from referee.visible import visible
from referee.wording import citation, effect_in_words

CALLS_SHOWN = 24
"""Calls of the auction that a display shows, the latest ones: six rounds."""

GRID_COLUMNS = 16
"""Columns that a display needs to show the auction as a grid."""


def auction_block(playing: Playing, columns: int, words: Catalogue) -> Block:
    """The legal auction: four columns from the dealer on, or in a row."""
    calls = playing.state.auction.legal_calls
    if not calls:
        return ""
    if columns < GRID_COLUMNS:
        return " ".join(_token(made) for made in calls[-CALLS_SHOWN:])
    dealer = SEATS.index(playing.state.board.dealer)
    order = SEATS[dealer:] + SEATS[:dealer]
    rows = _rows(calls, order)[-CALLS_SHOWN // len(order) :]
    heading = [letter(seat, words) for seat in order]
    return Grid(tuple(_line(row, columns // len(order)) for row in [heading, *rows]))


def _rows(calls: Sequence[MadeCall], order: tuple[Seat, ...]) -> list[list[str]]:
    """The calls below their seats; a seat that was skipped leaves a gap."""
    rows: list[list[str]] = []
    last = len(order)
    for made in calls:
        place = order.index(made.seat)
        if place <= last:
            rows.append([""] * len(order))
        rows[-1][place] = _token(made)
        last = place
    return rows


def _line(cells: Sequence[str], width: int) -> str:
    return "".join(cell.ljust(width) for cell in cells).rstrip()


def _token(made: MadeCall) -> str:
    return f"{made.call}!" if made.alerted else made.call.value


def last_calls(playing: Playing, words: Catalogue) -> str:
    """The last round of calls, each with its seat."""
    calls = playing.state.auction.legal_calls[-3:]
    return " ".join(f"{letter(made.seat, words)}:{_token(made)}" for made in calls)


def board_line(number: int, board: Board, words: Catalogue) -> str:
    """Number, dealer and vulnerability."""
    dealer = seat_name(board.dealer, words)
    sides = [side_name(s, words) for s in SIDES if s in board.vulnerable]
    if not sides:
        return words.text(
            "Board {number}, dealer {dealer}, vulnerable none",
            number=number,
            dealer=dealer,
        )
    return words.text(
        "Board {number}, dealer {dealer}, vulnerable {vulnerable}",
        number=number,
        dealer=dealer,
        vulnerable=words.text("all") if len(sides) == len(SIDES) else sides[0],
    )


def trick_line(playing: Playing, words: Catalogue) -> str:
    """The trick in progress, each card with its hand."""
    play = playing.state.play
    if play is None or play.ended:
        return ""
    cards = " ".join(f"{letter(p.hand, words)}:{p.card}" for p in play.current.cards)
    heading = words.text("Trick {number}", number=play.number)
    return f"{heading} {cards}".strip()


def last_trick_line(playing: Playing, words: Catalogue) -> str:
    """The last complete trick, each card with its hand."""
    play = playing.state.play
    if play is None or not play.tricks:
        return ""
    cards = " ".join(f"{letter(p.hand, words)}:{p.card}" for p in play.tricks[-1].cards)
    return words.text("Last trick {cards}", cards=cards)


def contract_line(playing: Playing, words: Catalogue) -> str:
    """The contract, and the tricks so far."""
    contract, play = playing.state.contract, playing.state.play
    if contract is None:
        return ""
    told = contract_name(contract, words)
    if play is None:
        return told
    won = play.tricks_won()
    score = " ".join(f"{letter(side, words)}:{won[side]}" for side in SIDES)
    return f"{told} {score}"


def penalty_cards_line(playing: Playing, words: Catalogue) -> str:
    """Penalty cards on the table, for all to see."""
    effects = [
        binding.effect
        for binding in playing.state.bindings
        if binding.effect.kind is EffectKind.PENALTY_CARD
    ]
    cards = " ".join(
        f"{letter(effect.seat, words)}:{effect.card}"
        for effect in effects
        if effect.seat is not None
    )
    return words.text("Penalty cards {cards}", cards=cards) if cards else ""


def result_lines(playing: Playing, words: Catalogue) -> list[str]:
    """The result of a play that is over, with the tricks that were transferred."""
    contract = playing.state.contract
    number = playing.board.number
    if contract is None:
        return [words.text("Board {number}: passed out", number=number)]
    scored = report(playing.state)["result"]
    if scored is None:
        return []
    made = scored["declarer_tricks"] - 6 - contract.level
    level = words.text("made") if made == 0 else f"{made:+d}"
    told = words.text(
        "Board {number}: {contract} {level}, score {score:+d} to North-South",
        number=number,
        contract=contract_name(contract, words),
        level=level,
        score=scored["score_NS"],
    )
    return [told, *_transfer_lines(playing, words)]


def _transfer_lines(playing: Playing, words: Catalogue) -> list[str]:
    """As played, and each transfer with its citation."""
    lines = [
        _transfer_line(playing, ruling, words)
        for ruling in visible(playing)
        if ruling.status is Status.IN_FORCE
        and any(effect.kind is EffectKind.TRANSFER for effect in ruling.effects)
    ]
    play = playing.state.play
    if not lines or play is None:
        return []
    won = play.tricks_won()
    played = ", ".join(f"{side_name(s, words)} {won[s]}" for s in SIDES)
    return [words.text("As played: {tricks}", tricks=played), *lines]


def _transfer_line(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    moved = [
        effect_in_words(effect, None, words)
        for effect in ruling.effects
        if effect.kind is EffectKind.TRANSFER
    ]
    reason = words.text("Revoke by {seat}", seat=seat_name(ruling.offender, words))
    return f"{reason}: {', '.join(moved)} ({citation(playing, ruling, words)})"
