"""How a ruling came about: ``bidwire rule --explain``.

The facts it rests on, the paragraphs on the way with what each of them says, what the
seats are told, and who chooses next.
"""

from collections.abc import Iterator

from laws.actions import Answer
from laws.auction import MadeCall, last_bid
from laws.incidents import Claim, Revoke
from laws.rulings import Ruling, Status
from laws.script import format_action
from laws.seats import Seat
from laws.state import State, key_of
from referee.assumptions import assumption_in_words
from referee.catalogue import Catalogue
from referee.directors_questions import directors_question
from referee.explanations import told_to_seats
from referee.names import call_name, seat_name, suit_name
from referee.paragraphs import paragraph_in_words
from referee.playing import Playing
from referee.wording import effect_in_words


def explained(playing: Playing, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    """The way to a ruling, line by line; what belongs under a line is indented."""
    yield f"{words.text('The facts')}:"
    for fact in _facts(playing.state, ruling, words):
        yield f"  {fact}"
    yield f"{words.text('The paragraphs on the way')}:"
    yield from _path(playing, ruling, words)
    for assumption in ruling.assumptions:
        told = assumption_in_words(assumption, words)
        yield words.text("Assumed until the Director answers: {what}", what=told)
    if ruling.status is Status.IN_FORCE:
        for seat, told in told_to_seats(playing, ruling, words).items():
            name = seat_name(seat, words)
            yield words.text("{seat} is told: {what}", seat=name, what=told)
    yield f"{words.text('Who chooses next')}:"
    for told in _next(playing, ruling, words):
        yield f"  {told}"


def _path(playing: Playing, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    """Each paragraph with its sentence, the one that decided last."""
    edition = playing.state.board.edition
    way = [law for law in ruling.laws if law != ruling.law]
    for law in dict.fromkeys((*way, ruling.law)):
        sentence = paragraph_in_words(law, edition, words)
        if law == ruling.law:
            yield f"  {words.text('{law} decides: {what}', law=law, what=sentence)}"
        elif law:
            yield f"  {law}: {sentence}"


# Facts ----------------------------------------------------------------------------


def _facts(state: State, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    yield from _happening(state, ruling.line, words)
    lines = {ruling.line}
    made = _call_of(state, ruling)
    if made is not None:
        yield from _about_call(state, made, words)
        later = _later_calls(state, made)
        yield from (_later_call(call, words) for call in later)
        lines |= {call.line for call in later}
    revoke = _revoke_of(state, ruling)
    if revoke is not None:
        yield from _about_revoke(state, revoke, words)
        lines.add(revoke.line)
    claim = state.play.incidents.claim if state.play is not None else None
    if claim is not None and ruling.irregularity in _OF_CLAIMS:
        yield _about_claim(claim, words)
    for given in state.given:
        if given.line in lines:
            told = format_action(Answer(given.word, given.answer, given.seat))
            yield words.text("The Director has said: {what}", what=told)


_OF_CLAIMS = frozenset({"claim-void", "concession", "contested-claim"})


def _happening(state: State, line: int, words: Catalogue) -> Iterator[str]:
    """The line of the script, and what it really was if it has been corrected."""
    for step in state.steps:
        if step.line == line:
            told = format_action(step.action)
            yield words.text("line {line} tells: {what}", line=line, what=told)
    for corrected, action in state.corrections:
        if corrected == line and action is not None:
            yield words.text("it really was: {what}", what=format_action(action))


def _call_of(state: State, ruling: Ruling) -> MadeCall | None:
    """The call that a ruling is about."""
    for made in state.auction.calls:
        about = (made.line, made.seat) == (ruling.line, ruling.offender)
        if about and not made.implied:
            return made
    return None


def _about_call(state: State, made: MadeCall, words: Catalogue) -> Iterator[str]:
    seat, turn = made.seat, made.turn
    name = seat_name(turn or seat, words)
    if turn is None:
        yield words.text("It was the turn of {seat}", seat=name)
    elif turn is seat.rho:
        yield words.text("It was the turn of {seat}, the RHO of the caller", seat=name)
    elif turn is seat.lho:
        yield words.text("It was the turn of {seat}, the LHO of the caller", seat=name)
    else:
        yield words.text("It was the turn of {seat}, the caller's partner", seat=name)
    calls = state.auction.calls
    before = [m for m in calls[: calls.index(made)] if not m.withdrawn]
    bid = last_bid(tuple(before))
    if bid is None:
        yield words.text("Nobody had bid before")
    else:
        yield words.text(
            "The last bid before was {bid} by {seat}",
            bid=bid.call,
            seat=seat_name(bid.seat, words),
        )
    if made.alerted:
        yield words.text("The call was alerted")
    if made.withdrawn:
        yield words.text("The call does not count any more")


def _later_calls(state: State, made: MadeCall) -> list[MadeCall]:
    """Of a withdrawn call: what RHO and then the offender have called instead."""
    if not made.withdrawn:
        return []
    calls = state.auction.calls
    after = [m for m in calls[calls.index(made) + 1 :] if not m.withdrawn]
    own = next((m for m in after if m.seat is made.seat), None)
    until = after[: after.index(own)] if own is not None else after
    found = [m for m in until if m.seat is made.seat.rho and made.turn is m.seat][:1]
    return [*found, own] if own is not None else found


def _later_call(made: MadeCall, words: Catalogue) -> str:
    return words.text(
        "line {line}: {seat} then called {call}",
        line=made.line,
        seat=seat_name(made.seat, words),
        call=call_name(made.call, words),
    )


def _revoke_of(state: State, ruling: Ruling) -> Revoke | None:
    """The revoke that a ruling is about: that of its line, else the latest before."""
    if state.play is None or ruling.irregularity != "revoke":
        return None
    own = [
        revoke
        for revoke in state.play.incidents.revokes
        if revoke.hand is ruling.offender and revoke.line <= ruling.line
    ]
    return max(own, key=lambda revoke: revoke.line, default=None)


def _about_revoke(state: State, revoke: Revoke, words: Catalogue) -> Iterator[str]:
    play, seat = state.play, seat_name(revoke.hand, words)
    suit = suit_name(revoke.suit, words) if revoke.suit is not None else ""
    if suit:
        yield words.text(
            "Trick {trick}: {seat} played {card} and had to play {suit}",
            trick=revoke.trick,
            seat=seat,
            card=revoke.card,
            suit=suit,
        )
    else:
        yield words.text(
            "Trick {trick}: {seat} played {card}",
            trick=revoke.trick,
            seat=seat,
            card=revoke.card,
        )
    if play is None or revoke.trick > len(play.tricks):
        return
    won = [trick.winner(play.trump) for trick in play.tricks]
    yield words.text(
        "Trick {trick} was won by {seat}",
        trick=revoke.trick,
        seat=seat_name(won[revoke.trick - 1], words),
    )
    if play.ended:
        later = won[revoke.trick :]
        count = sum(hand.side is revoke.hand.side for hand in later)
        yield words.texts(
            "After it the side of {seat} won {count} trick in play",
            "After it the side of {seat} won {count} tricks in play",
            count,
            seat=seat,
        )


def _about_claim(claim: Claim, words: Catalogue) -> str:
    return words.text(
        "{seat} had claimed {tricks} of {remaining} tricks",
        seat=seat_name(claim.seat, words),
        tricks=claim.tricks,
        remaining=claim.remaining,
    )


# What comes next ------------------------------------------------------------------


def _next(playing: Playing, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    """Who is to choose, to judge or to act because of the ruling."""
    state = playing.state
    if ruling.status is Status.SUPERSEDED:
        yield words.text("Nobody: the ruling is undone")
        return
    told = [*_choosing(state, ruling, words), *_bound(state, ruling, words)]
    yield from told or [words.text("Nobody: the matter is settled")]


def _choosing(state: State, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    seats: list[Seat] = []
    for due in state.auction.dues:
        if due.ruling == key_of(ruling):
            yield words.text(
                "{seat} calls in place of {call}",
                seat=seat_name(due.seat, words),
                call=call_name(due.withdrawn.call, words),
            )
    for question in state.questions:
        about = question.line == ruling.line and question.to is not None
        if about and question.to is not None and question.to not in seats:
            seats.append(question.to)
            yield words.text("{seat} chooses", seat=seat_name(question.to, words))
    made = _call_of(state, ruling)
    lines = {ruling.line}
    if made is not None:
        lines |= {call.line for call in _later_calls(state, made)}
    for question in state.questions:
        if question.to is None and question.line in lines:
            asked = directors_question(question, words)
            yield words.text("The Director judges: {what}", what=asked)


def _bound(state: State, ruling: Ruling, words: Catalogue) -> Iterator[str]:
    """What of the ruling still binds."""
    for binding in state.bindings:
        if (binding.line, binding.law) == (ruling.line, ruling.law):
            yield effect_in_words(binding.effect, None, words)
