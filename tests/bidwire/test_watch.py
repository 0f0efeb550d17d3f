"""What waits for the Director, as lines that come and go."""

import msgspec

from bidwire.watch import Watch
from laws.seats import Seat
from protocol.payloads import Alarm, Desk, HeldEvent, SilentCall

QUESTION = {
    "to": "director",
    "question": "comparable",
    "about": "2C",
    "choices": [],
    "law": "27B1b",
    "line": 3,
    "seat": "E",
    "holds": True,
}

DESK = Desk(session="s", epoch=1, number=4, table="t1", play=1, board=7)


def heard(*desks: Desk, table: str | None = None) -> list[str]:
    lines: list[str] = []
    watch = Watch(lines.append, table)
    for desk in desks:
        watch.hear(desk)
    return lines


def desk(**changes: object) -> Desk:
    return msgspec.structs.replace(DESK, **changes)


def test_a_question_shows_its_answers_once_and_is_settled_when_it_is_gone() -> None:
    asked = desk(questions=(QUESTION,))
    first, last = heard(asked, msgspec.structs.replace(asked, number=5), DESK)
    assert first == (
        "t1: board 7: Is the new call of East (2C) comparable with the withdrawn call?"
        " The table waits. (Law 27B1b)"
        " [director comparable E yes | director comparable E no]"
    )
    assert last == first.replace("t1: ", "t1: settled: ", 1)


def test_options_of_a_seat_are_not_for_the_director() -> None:
    assert heard(desk(questions=({**QUESTION, "to": "N", "question": "accept"},))) == []


def test_a_contested_claim_is_adjudicated_with_an_award() -> None:
    claim = {**QUESTION, "question": "claim", "about": "3 of 5 tricks", "law": "70A"}
    (line,) = heard(desk(questions=(claim,)))
    assert "[director award SEAT TRICKS]" in line


def test_each_thing_that_waits_says_the_command_that_answers_it() -> None:
    lines = heard(
        desk(
            proposed=({"number": 2, "text": "South revoked."},),
            suspicions=(
                {"text": "East called out of turn."},
                {
                    "seat": "W",
                    "trick": 3,
                    "card": "H4",
                    "state": "suspected",
                    "law": "61A",
                },
            ),
            calls=(
                SilentCall(id=5, seat=Seat.NORTH, silent=True, reason="hesitation"),
                SilentCall(id=6, seat=Seat.EAST, silent=False, attended=True),
            ),
            alarms=(Alarm(id=8, text="t1-n is offline"),),
            held=(
                HeldEvent(
                    terminal="t1-w",
                    boot=1,
                    n=3,
                    seat=Seat.WEST,
                    happening="W P",
                    reason="waits for t1-n (offline)",
                ),
            ),
            aside=(HeldEvent("t1-e", 1, 2, Seat.EAST, "E P", "closed play"),),
        )
    )
    unknown = "t1: board 7: the table does not know: "
    assert lines == [
        "t1: board 7: proposed ruling 2: South revoked. [confirm 2 | reject 2]",
        f"{unknown}East called out of turn.",
        f"{unknown}revoke of West at trick 3: H4, suspected (Law 61A)",
        "t1: North calls you silently: hesitation [attend 5]",
        "t1: t1-n is offline [attend 8]",
        "t1: held of t1-w: W P: waits for t1-n (offline) [release t1-w | drop t1-w]",
        "t1: not applied, of t1-e: E P: closed play",
    ]


def test_one_table_may_be_watched_alone() -> None:
    assert heard(desk(alarms=(Alarm(id=8, text="offline"),)), table="t2") == []


def test_no_players_words_pass_for_a_line_of_their_own() -> None:
    reason = "slow\nt1: settled: all\x1b[2J"
    call = SilentCall(id=3, seat=Seat.SOUTH, reason=reason, silent=True)
    (line,) = heard(desk(calls=(call,)))
    assert line.isprintable()
    assert "slow t1: settled: all" in line
