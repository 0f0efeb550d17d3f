"""A player acts on what his own display shows, and on nothing else."""

from laws.seats import Seat
from protocol.messages import Asked, Choice, Display
from terminal.simulator.player import Move, Player, TablePart
from terminal.simulator.settings import (
    BoardScript,
    Fault,
    FaultKind,
    Happening,
    TableScript,
)


def calls(*seats: str, **changes: object) -> BoardScript:
    happenings = tuple(
        Happening(number=n, seat=Seat(seat), kind="call", data=(f"{n}",))
        for n, seat in enumerate(seats)
    )
    fields: dict[str, object] = {"board": 1, "happenings": happenings}
    return BoardScript(**(fields | changes))  # type: ignore[arg-type]


def part(*boards: BoardScript) -> TablePart:
    return TablePart(TableScript(table="t1", boards=boards))


def display(at: int, play: int = 1, board: int = 1, **changes: object) -> Display:
    fields: dict[str, object] = {
        "epoch": 1,
        "rev": at,
        "seat": Seat.NORTH,
        "play": play,
        "board": board,
        "at": at,
        "ask": Asked.NONE,
        "hand": None,
        "pages": (),
    }
    return Display(**(fields | changes))  # type: ignore[arg-type]


def number(move: Move | None) -> int | None:
    return move.number if move is not None else None


def test_he_waits_until_his_display_shows_what_comes_before() -> None:
    player = Player(Seat.SOUTH, part(calls("N", "E", "S")))
    for at in range(2):
        player.see(display(at))
        assert player.next_move(display(at)) is None
    assert number(player.next_move(display(2))) == 2


def test_he_does_each_thing_once() -> None:
    player = Player(Seat.NORTH, part(calls("N", "E", "S", "W", "N")))
    player.see(display(0))
    move = player.next_move(display(0))
    assert move is not None
    player.made(move)
    assert player.next_move(display(0)) is None
    assert number(player.next_move(display(4))) == 4


def test_what_could_not_be_done_is_done_later() -> None:
    player = Player(Seat.NORTH, part(calls("N")))
    player.see(display(0))
    move = player.next_move(display(0))
    assert move is not None
    player.made(move)
    player.not_made(move)
    assert player.next_move(display(0)) == move


def test_what_the_table_has_already_is_not_done_again() -> None:
    player = Player(Seat.NORTH, part(calls("N", "E", "N")))
    player.see(display(2))
    assert number(player.next_move(display(2))) == 2


def test_dummys_card_is_played_by_declarer() -> None:
    card = Happening(
        number=0, seat=Seat.SOUTH, kind="card", hand=Seat.NORTH, data=("SA",)
    )
    table = part(BoardScript(board=1, happenings=(card,)))
    dummy, declarer = Player(Seat.NORTH, table), Player(Seat.SOUTH, table)
    for player in (dummy, declarer):
        player.see(display(0))
    assert dummy.next_move(display(0)) is None
    move = declarer.next_move(display(0))
    assert move is not None
    assert move.key == ("card", Seat.SOUTH, Seat.NORTH, ("SA",))


def test_another_play_is_not_his() -> None:
    player = Player(Seat.NORTH, part(calls("N")))
    player.see(display(0))
    assert player.next_move(display(0, play=0)) is None
    assert player.next_move(display(0, play=2)) is None


def test_the_next_play_is_the_next_board() -> None:
    player = Player(Seat.NORTH, part(calls("N"), calls("N", board=2)))
    assert player.see(display(0)) is None
    assert player.see(display(1)) is None
    assert player.index == 0
    assert player.see(display(0, play=2, board=2)) is None
    assert (player.index, player.play) == (1, 2)
    assert number(player.next_move(display(0, play=2, board=2))) == 0


def test_boards_of_one_number_are_told_apart_by_their_plays() -> None:
    player = Player(Seat.NORTH, part(calls("N"), calls("N")))
    player.see(display(0, play=1))
    player.see(display(0, play=2))
    assert player.index == 1


def test_a_board_that_is_not_next_is_told() -> None:
    player = Player(Seat.NORTH, part(calls("N"), calls("N", board=2)))
    assert player.see(display(0, board=7)) == 7
    assert player.next_move(display(0, board=7)) is None


def test_he_places_the_board_when_asked_and_once() -> None:
    player = Player(Seat.NORTH, part(calls("N", board=5)))
    other = display(0, play=0, choices=(Choice("board", (4,), "Board 4"),))
    assert player.next_move(other) is None
    asked = display(0, play=0, choices=(Choice("board", (5,), "Board 5"),))
    move = player.next_move(asked)
    assert move is not None
    assert move.key == ("board", Seat.NORTH, None, (5,))
    player.made(move)
    assert player.next_move(asked) is None


def test_an_answer_waits_for_the_option_while_the_director_is_awaited() -> None:
    answer = Happening(number=0, seat=Seat.NORTH, kind="accept")
    player = Player(Seat.NORTH, part(BoardScript(board=1, happenings=(answer,))))
    player.see(display(0))
    assert player.next_move(display(0, ask=Asked.WAIT)) is None
    offered = (Choice("accept", (), "Accept"),)
    assert player.next_move(display(0, ask=Asked.WAIT, choices=offered)) is not None
    assert player.next_move(display(0, ask=Asked.CHOICE)) is not None


def test_an_answer_that_nobody_asked_for_is_given_where_a_script_says_so() -> None:
    answer = Happening(number=1, seat=Seat.NORTH, kind="accept")
    board = BoardScript(board=1, happenings=(answer,))
    table = TableScript(table="t1", boards=(board,), answers_wait=False)
    player = Player(Seat.NORTH, TablePart(table))
    player.see(display(0))
    assert player.next_move(display(0, ask=Asked.WAIT)) is None
    assert number(player.next_move(display(1, ask=Asked.WAIT))) == 1


def test_a_happening_of_the_director_is_waited_for() -> None:
    script = BoardScript(
        board=1,
        happenings=(Happening(number=3, seat=Seat.NORTH, kind="call", data=("P",)),),
        count=5,
    )
    player = Player(Seat.NORTH, part(script))
    player.see(display(2))
    assert player.next_move(display(2)) is None
    assert player.next_move(display(3)) is not None
    assert not player.is_finished(display(4))
    assert player.is_finished(display(5))


def test_what_a_lock_kept_from_happening_is_left_out_by_all() -> None:
    table = part(calls("N", "E", "S"))
    south = Player(Seat.SOUTH, table)
    south.see(display(1))
    assert south.next_move(display(1)) is None
    table.skip(0, 1)
    assert number(south.next_move(display(1))) == 2
    assert south.is_finished(display(2))


def test_the_board_is_over_when_the_table_has_gone_on() -> None:
    player = Player(Seat.NORTH, part(calls("N", "E")))
    assert not player.is_finished(display(0, play=0))
    player.see(display(0))
    assert not player.is_finished(display(1))
    assert player.is_finished(display(2))
    assert player.is_finished(display(0, play=0, board=2))


def test_faults_strike_with_their_happening() -> None:
    fault = Fault(number=1, fault=FaultKind.RESET)
    player = Player(Seat.NORTH, part(calls("N", "N", faults=(fault,))))
    player.see(display(0))
    first, second = player.next_move(display(0)), player.next_move(display(1))
    assert first is not None
    assert first.faults == ()
    assert second is not None
    assert second.faults == (fault,)
