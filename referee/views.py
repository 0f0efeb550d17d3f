"""What the referee publishes of a table: state, desk, rulings, result, spectators.

Each is computed whole from the record, so that no view can differ from the log.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec

from laws.board import format_deal
from laws.cards import SUITS, Card
from laws.play import PlayedCard
from laws.report import contract_object, report, turn_of
from laws.rulings import EffectKind, Ruling
from laws.seats import SEATS, SIDES, Seat
from laws.state import RulingKey, State, key_of
from protocol.payloads import (
    Alarm,
    CommandReply,
    Contract,
    Desk,
    HeldEvent,
    Phase,
    PublicCall,
    PublicCard,
    PublicTable,
    RulingPublished,
    SilentCall,
    TableResult,
    TableState,
)
from referee import order
from referee.answers import answers_of
from referee.catalogue import LANGUAGES, Catalogue, catalogue, in_all_languages
from referee.course import course
from referee.double_dummy import Solver, nothing_known
from referee.entries import EventTaken
from referee.evidence import evidence, evidence_in_words
from referee.explanations import told_to_director
from referee.foresight import in_words, judged_as_if
from referee.happened import told_happening
from referee.names import LINKS
from referee.playing import Playing, ruling_of
from referee.reasons import call_in_words, happening_in_words, in_other_languages
from referee.record import Record
from referee.rounds import awaits_round
from referee.table import Table
from referee.visible import proposed, suspicions, waits_for_director
from referee.wording import ruling_in_words

Plain = dict[str, Any]

_Told = TypeVar("_Told", HeldEvent, Alarm, CommandReply)


def table_state(table: Table, session: str) -> TableState:
    """The public facts of the table."""
    record = table.record
    common: Plain = {
        "session": session,
        "epoch": table.traffic.epoch,
        "number": record.number,
        "edition": record.event.edition,
        "terminals": {t.id: table.traffic.link(t.id) for t in record.table.terminals},
    }
    place, playing = record.next_place, record.play
    if place is not None:
        following = record.table.boards[place]
        common |= {"next_board": following.number, "next_round": following.round}
    if playing is None or playing.closed:
        return TableState(phase=Phase.IDLE, waiting=waiting(record), **common)
    state, play = playing.state, playing.state.play
    board = state.board
    return TableState(
        phase=_phase(playing),
        round=playing.board.round,
        play=playing.number,
        board=playing.board.number,
        dealer=board.dealer,
        vulnerable=tuple(side for side in SIDES if side in board.vulnerable),
        pairs=playing.board.pairs,
        turn=public_turn(playing),
        waiting=waiting(record),
        auction=_auction(playing),
        contract=_contract(state),
        trick=_cards(play.current.cards) if play else (),
        last_trick=_cards(play.tricks[-1].cards) if play and play.tricks else (),
        tricks={side: play.tricks_won()[side] for side in SIDES} if play else {},
        dummy=dummy_on_table(state),
        faced=_faced(playing),
        **common,
    )


def waiting(record: Record) -> str:
    """What the table waits for beside the seat to act, empty for nothing."""
    playing = record.open_play
    if playing is not None and waits_for_director(playing, record.event.questions):
        return "director"
    return "round" if awaits_round(record) is not None else ""


def public_turn(playing: Playing) -> Seat | None:
    """The seat (in play the hand) to act, as far as the table may know."""
    return turn_of(playing.state)


def _phase(playing: Playing) -> Phase:
    if playing.is_over:
        return Phase.ENDED
    play = playing.state.play
    if play is None:
        return Phase.AUCTION
    claim = play.incidents.claim
    return Phase.CLAIM if claim is not None and not claim.settled else Phase.PLAY


def _auction(playing: Playing) -> tuple[PublicCall, ...]:
    explained = playing.explanations()
    return tuple(
        PublicCall(made.seat, made.call, made.alerted, explained.get(made.line, ""))
        for made in playing.state.auction.legal_calls
    )


def _contract(state: State) -> Contract | None:
    contract = state.contract
    return Contract(**contract_object(contract)) if contract is not None else None


def _cards(cards: tuple[PlayedCard, ...]) -> tuple[PublicCard, ...]:
    return tuple(PublicCard(played.hand, played.card) for played in cards)


def dummy_on_table(state: State) -> tuple[Card, ...]:
    """Dummy's cards not yet played, once the opening lead has been faced (41D)."""
    play = state.play
    if play is None or play.held is None:
        return ()
    if not play.tricks and not play.current.cards:
        return ()
    held = play.held[SEATS.index(play.dummy)]
    order = {suit: i for i, suit in enumerate(reversed(SUITS))}
    return tuple(sorted(held, key=lambda c: (order[c.suit], -c.strength)))


def _faced(playing: Playing) -> tuple[PublicCard, ...]:
    """Penalty cards: they lie on the table for all to see (Law 50A)."""
    return tuple(
        PublicCard(effect.seat, effect.card)
        for effect in (b.effect for b in playing.state.bindings)
        if effect.kind is EffectKind.PENALTY_CARD
        and effect.seat is not None
        and effect.card is not None
    )


def desk(table: Table, session: str, solver: Solver = nothing_known) -> Desk:
    """All that a Director may know of the table.

    Args:
        table: the table.
        session: the referee's.
        solver: of the double-dummy evidence; what it does not know yet is left out.
    """
    record, traffic = table.record, table.traffic
    playing = record.play
    common: Plain = {
        "session": session,
        "epoch": traffic.epoch,
        "number": record.number,
        "table": record.table.id,
        "calls": tuple(_call(call) for call in record.calls),
        "held": tuple(_in_words(held) for held in _held(table)),
        "aside": tuple(
            _in_words(_translated(event, event.reason)) for event in record.aside
        ),
        "alarms": tuple(_translated(alarm, alarm.text) for alarm in record.alarms),
        "replies": tuple(_translated(r, r.reason) for r in record.replies),
        "evidence": tuple(_evidence(record, solver)),
    }
    if playing is None:
        return Desk(**common)
    judged = report(playing.state)
    rulings = judged["rulings"]
    secret = {key_of(ruling) for ruling in suspicions(playing)}
    return Desk(
        play=playing.number,
        board=playing.board.number,
        questions=tuple(judged["questions"]),
        foreseen=tuple(_foreseen(playing)),
        suspicions=_suspicions(playing, judged, secret),
        proposed=tuple(
            {**rulings[number - 1], "number": number, **_told(playing, ruling)}
            for number, ruling in proposed(playing)
        ),
        judged=judged,
        deal=_deal(playing),
        course=course(playing),
        **common,
    )


def _translated(told: _Told, reason: str) -> _Told:
    """What the record has in English, in the other languages too."""
    return msgspec.structs.replace(told, texts=in_other_languages(reason))


def _call(call: SilentCall) -> SilentCall:
    texts = in_other_languages(call.reason, call_in_words)
    return msgspec.structs.replace(call, texts=texts)


def _in_words(event: HeldEvent) -> HeldEvent:
    """An event with what happened in the other languages too."""
    happenings = in_other_languages(event.happening, happening_in_words)
    return msgspec.structs.replace(event, happenings=happenings)


def _deal(playing: Playing) -> str:
    """The hands in PBN, when the Director has asked for them."""
    hands = playing.state.board.hands
    return format_deal(hands) if hands is not None and playing.hands_asked else ""


def _foreseen(playing: Playing) -> Iterator[Plain]:
    """What the answers lead to that somebody must give before the board goes on."""
    for answers in answers_of(playing.state):
        if answers.question.holds:
            yield from (_foreseen_answer(playing, line) for line in answers.lines)


def _foreseen_answer(playing: Playing, line: str) -> Plain:
    """An answer, and what it leads to in every language: it is judged only once."""
    told = partial(in_words, playing, judged_as_if(playing, line))
    texts = {language: " ".join(told(catalogue(language))) for language in LANGUAGES}
    return {"line": line, "text": texts.pop("en"), "texts": texts}


def _evidence(record: Record, solver: Solver) -> Iterator[Plain]:
    """Of every play: questions of 64C may be answered when the next one has begun."""
    for playing in record.plays:
        for found in evidence(playing.state, solver):
            yield {
                "play": playing.number,
                "board": playing.board.number,
                **found.plain(),
                **in_all_languages(partial(evidence_in_words, found)),
            }


def _suspicions(
    playing: Playing, judged: Plain, secret: set[RulingKey]
) -> tuple[Plain, ...]:
    """Revokes that the table has not been told of, and rulings kept from it."""
    revokes = [] if playing.is_over else judged["revokes"]
    rulings = [
        {**plain, **_told(playing, ruling)}
        for plain, ruling in zip(judged["rulings"], playing.state.rulings, strict=True)
        if key_of(ruling) in secret
    ]
    return (*revokes, *rulings)


def _told(playing: Playing, ruling: Ruling) -> Plain:
    """A ruling explained to the Director."""
    return in_all_languages(partial(told_to_director, playing, ruling))


def _held(table: Table) -> tuple[HeldEvent, ...]:
    """Events held so long that the Director has to know."""
    told = {held.event for held in table.traffic.rounds if held.told}
    return tuple(
        HeldEvent(
            taken.terminal,
            taken.boot,
            taken.n,
            taken.seat,
            told_happening(taken),
            **_why_held(table, taken),
        )
        for taken in table.record.waiting
        if (taken.terminal, taken.boot, taken.n) in told
    )


def _why_held(table: Table, taken: EventTaken) -> Plain:
    """Why an event waits: ``reason`` in English, ``texts`` in other languages."""
    name = (taken.terminal, taken.boot, taken.n)
    held = next(r for r in table.traffic.rounds if r.event == name)
    others = [t.id for t in table.record.table.terminals if t.id != taken.terminal]
    missing = order.missing(held, others, table.record.logs)

    def told(words: Catalogue) -> str:
        if table.record.lost:
            lost = ", ".join(sorted(table.record.lost))
            return words.text("events of {terminals} are lost", terminals=lost)
        if not missing:
            return words.text("waits for an event before it")
        links = (
            f"{terminal} ({words.text(LINKS[table.traffic.link(terminal)])})"
            for terminal in missing
        )
        return words.text("waits for {terminals}", terminals=", ".join(links))

    in_words = in_all_languages(told)
    return {"reason": in_words["text"], "texts": in_words["texts"]}


def rulings(playing: Playing, session: str) -> tuple[RulingPublished, ...]:
    """The rulings of a play that the table has been told of, as they stand now."""
    if not playing.told:
        return ()
    as_reported = report(playing.state)["rulings"]
    plain = {
        key_of(ruling): reported
        for ruling, reported in zip(playing.state.rulings, as_reported, strict=True)
    }
    told = ((t.number, ruling_of(playing, t.key)) for t in playing.told)
    return tuple(
        RulingPublished(
            session=session,
            number=number,
            play=playing.number,
            board=playing.board.number,
            ruling=plain[key_of(ruling)],
            **in_all_languages(partial(ruling_in_words, playing, ruling)),
        )
        for number, ruling in told
        if ruling is not None
    )


def result(record: Record, playing: Playing, session: str) -> TableResult | None:
    """The result of a playing; None while it may still get one."""
    if not playing.is_over and not playing.closed:
        return None
    state = playing.state
    judged = report(state)
    scored = judged["result"]
    return TableResult(
        session=session,
        table=record.table.id,
        play=playing.number,
        round=playing.board.round,
        board=playing.board.number,
        pairs=playing.board.pairs,
        contract=_contract(state),
        tricks={side: judged["tricks"][side.value] for side in SIDES},
        declarer_tricks=scored["declarer_tricks"] if scored else None,
        score_ns=scored["score_NS"] if scored else None,
        number=max(*playing.judged_at, playing.scored_at, 0),
        judged=judged,
        adjustment=playing.adjustment,
        penalties=playing.penalties,
        course=course(playing),
        deal=_deal(playing),
    )


def public_playing(record: Record, *, live: bool) -> Playing | None:
    """What spectators may see: the play in progress, or the last one finished.

    Args:
        record: the table.
        live: whether a play in progress may be shown.
    """
    return next((p for p in reversed(record.plays) if live or p.is_over), None)


def public_table(record: Record, playing: Playing, session: str) -> PublicTable:
    """A play as spectators see it."""
    state, play = playing.state, playing.state.play
    scored = report(state)["result"] if playing.is_over else None
    tricks = (*play.tricks, play.current) if play is not None else ()
    hands = state.board.hands
    return PublicTable(
        session=session,
        table=record.table.id,
        board=playing.board.number,
        round=playing.board.round,
        dealer=state.board.dealer,
        vulnerable=tuple(s for s in SIDES if s in state.board.vulnerable),
        pairs=playing.board.pairs,
        auction=_auction(playing),
        contract=_contract(state),
        tricks_played=tuple(_cards(trick.cards) for trick in tricks if trick.cards),
        declarer_tricks=scored["declarer_tricks"] if scored else None,
        score_ns=scored["score_NS"] if scored else None,
        deal=format_deal(hands) if hands is not None and playing.is_over else "",
    )
