"""The agenda: of many tables only those are looked at that have something to do."""

from referee.agenda import Agenda


def test_nothing_is_due_on_an_empty_agenda() -> None:
    agenda = Agenda()
    assert agenda.next() is None
    assert agenda.take(1e9) == []


def test_names_are_taken_when_they_are_due_and_only_once() -> None:
    agenda = Agenda()
    agenda.put("t1", 5.0)
    agenda.put("t2", 3.0)
    agenda.put("t3", 9.0)
    assert agenda.next() == 3.0
    assert agenda.take(2.9) == []
    assert agenda.take(5.0) == ["t2", "t1"]
    assert agenda.take(5.0) == []
    assert agenda.next() == 9.0


def test_a_new_time_takes_the_place_of_the_old_one() -> None:
    agenda = Agenda()
    agenda.put("t1", 5.0)
    agenda.put("t1", 8.0)
    assert agenda.next() == 8.0
    assert agenda.take(7.0) == []
    agenda.put("t1", 2.0)
    assert agenda.take(10.0) == ["t1"]
    assert agenda.next() is None


def test_what_is_never_due_is_taken_off() -> None:
    agenda = Agenda()
    agenda.put("t1", 5.0)
    agenda.put("t1", None)
    agenda.put("t2", None)
    assert agenda.next() is None
    agenda.put("t1", 5.0)
    assert agenda.take(5.0) == ["t1"]


def test_times_that_were_replaced_do_not_pile_up() -> None:
    agenda = Agenda()
    for time in range(10_000):
        agenda.put("t1", float(time))
        agenda.next()
    assert agenda.take(1e9) == ["t1"]
    assert agenda.next() is None
