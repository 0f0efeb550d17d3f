"""Clauses T: topics are built, checked, parsed; roles get what the matrix says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.topics import (
    LEVEL_PATTERN,
    MATRIX,
    RETAINED,
    Access,
    Role,
    Topic,
    TopicError,
    TopicKind,
    Topics,
    check_level,
    filters,
    id_of_serial,
    parse_topic,
)

LEVELS = st.from_regex(LEVEL_PATTERN, fullmatch=True)
TOPICS = Topics("spring")

BUILT = [
    (
        TOPICS.terminal_events("d1", "n1"),
        "daemons/d1/terminals/n1/events",
        TopicKind.TERMINAL_EVENTS,
    ),
    (
        TOPICS.terminal_shown("d1", "n1"),
        "daemons/d1/terminals/n1/shown",
        TopicKind.TERMINAL_SHOWN,
    ),
    (
        TOPICS.terminal_display("d1", "n1"),
        "daemons/d1/terminals/n1/display",
        TopicKind.TERMINAL_DISPLAY,
    ),
    (
        TOPICS.terminal_ack("d1", "n1"),
        "daemons/d1/terminals/n1/ack",
        TopicKind.TERMINAL_ACK,
    ),
    (
        TOPICS.terminal_status("d1", "n1"),
        "daemons/d1/terminals/n1/status",
        TopicKind.TERMINAL_STATUS,
    ),
    (TOPICS.daemon_status("d1"), "daemons/d1/status", TopicKind.DAEMON_STATUS),
    (TOPICS.table_state("t1"), "tables/t1/state", TopicKind.TABLE_STATE),
    (TOPICS.table_ruling("t1", 2), "tables/t1/rulings/2", TopicKind.TABLE_RULING),
    (TOPICS.table_desk("t1"), "tables/t1/desk", TopicKind.TABLE_DESK),
    (TOPICS.table_director("t1"), "tables/t1/director", TopicKind.TABLE_DIRECTOR),
    (TOPICS.table_result("t1", 9), "tables/t1/results/9", TopicKind.TABLE_RESULT),
    (TOPICS.table_log("t1", 9), "tables/t1/log/9", TopicKind.TABLE_LOG),
    (TOPICS.table_displays("t1"), "tables/t1/displays", TopicKind.TABLE_DISPLAYS),
    (TOPICS.daemon_director("d1"), "daemons/d1/director", TopicKind.DAEMON_DIRECTOR),
    (
        TOPICS.daemon_assignments("d1"),
        "daemons/d1/assignments",
        TopicKind.DAEMON_ASSIGNMENTS,
    ),
    (TOPICS.public("t1"), "public/t1", TopicKind.PUBLIC),
]


@pytest.mark.parametrize(("topic", "end", "kind"), BUILT, ids=[b[1] for b in BUILT])
def test_a_topic_is_built_and_taken_apart(
    topic: str, end: str, kind: TopicKind
) -> None:
    assert topic == f"bidwire/spring/{end}"
    parsed = TOPICS.parse(topic)
    assert (parsed.kind, parsed.event) == (kind, "spring")
    assert TOPICS.of(kind, *parsed.names) == topic


def test_every_kind_has_a_builder() -> None:
    assert {kind for _, _, kind in BUILT} == set(TopicKind)


@given(st.sampled_from(TopicKind), LEVELS, LEVELS, LEVELS)
def test_any_names_come_back(kind: TopicKind, event: str, a: str, b: str) -> None:
    names = (a, b)[: kind.value.count("+")]
    if kind in {TopicKind.TABLE_RULING, TopicKind.TABLE_RESULT, TopicKind.TABLE_LOG}:
        names = (a, "17")
    topic = Topics(event).of(kind, *names)
    assert parse_topic(topic) == Topic(kind, event, names)


@pytest.mark.parametrize(
    "name", ["", "Table", "a b", "a.b", "a/b", "+", "#", "x" * 33, "tisch-ü", "a\n"]
)
def test_a_name_that_no_level_holds_is_refused_before_it_is_used(name: str) -> None:
    for build in (check_level, Topics, TOPICS.public, TOPICS.table_desk):
        with pytest.raises(TopicError, match="expected 1 to 32 of the characters"):
            build(name)


def test_a_filter_checks_its_names_too() -> None:
    with pytest.raises(TopicError, match="expected 1 to 32 of the characters"):
        TOPICS.filter(TopicKind.TERMINAL_ACK, "d1", "#")


def test_the_wrong_number_of_names_is_refused() -> None:
    with pytest.raises(TopicError, match="takes 1 names, got 2"):
        TOPICS.of(TopicKind.PUBLIC, "a", "b")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "bidwire/spring/tables/t1",
        "bidwire/spring/tables/T1/state",
        "bidwire/spring/tables/t1/rulings/x",
        "bidwire/spring/tables/t1/rulings/01",
        "other/spring/public/t1",
        "bidwire/spring/public/t1/more",
    ],
)
def test_a_topic_that_is_none_of_the_contract_is_refused(topic: str) -> None:
    with pytest.raises(TopicError, match="expected a topic of the contract"):
        parse_topic(topic)


def test_a_topic_of_another_event_is_refused() -> None:
    with pytest.raises(TopicError, match="expected a topic of event spring"):
        TOPICS.parse("bidwire/autumn/public/t1")


def test_filters_leave_a_plus_where_no_name_is_given() -> None:
    kind = TopicKind.TERMINAL_ACK
    assert TOPICS.filter(kind, "d1") == "bidwire/spring/daemons/d1/terminals/+/ack"
    assert TOPICS.filter(kind) == "bidwire/spring/daemons/+/terminals/+/ack"
    assert TOPICS.filter(kind, "+", "n1") == "bidwire/spring/daemons/+/terminals/n1/ack"


def test_every_topic_has_one_writer_and_some_reader() -> None:
    for kind, roles in MATRIX.items():
        writers = [r for r, access in roles.items() if Access.PUBLISH in access]
        readers = [r for r, access in roles.items() if Access.SUBSCRIBE in access]
        assert len(writers) == 1, kind
        assert readers, kind
        assert set(roles) == set(Role)


def test_prompts_and_commands_are_never_retained() -> None:
    assert {
        TopicKind.TERMINAL_DISPLAY,
        TopicKind.TERMINAL_ACK,
        TopicKind.TABLE_DIRECTOR,
        TopicKind.DAEMON_DIRECTOR,
        TopicKind.TERMINAL_EVENTS,
        TopicKind.TERMINAL_SHOWN,
    } == set(TopicKind) - RETAINED


def test_what_only_a_director_may_know_reaches_no_daemon_and_no_spectator() -> None:
    for kind in (
        TopicKind.TABLE_DESK,
        TopicKind.TABLE_DIRECTOR,
        TopicKind.TABLE_RESULT,
        TopicKind.TABLE_LOG,
        TopicKind.TABLE_DISPLAYS,
    ):
        for role in (Role.DAEMON, Role.SPECTATOR):
            assert MATRIX[kind][role] == frozenset()


def test_a_daemon_is_granted_its_own_terminals_and_the_tables() -> None:
    assert filters(Role.DAEMON, "spring", Access.PUBLISH, "d1") == [
        "bidwire/spring/daemons/d1/terminals/+/events",
        "bidwire/spring/daemons/d1/terminals/+/shown",
        "bidwire/spring/daemons/d1/terminals/+/status",
        "bidwire/spring/daemons/d1/status",
        "bidwire/spring/daemons/d1/assignments",
    ]
    assert filters(Role.DAEMON, "spring", Access.SUBSCRIBE, "d1") == [
        "bidwire/spring/daemons/d1/terminals/+/display",
        "bidwire/spring/daemons/d1/terminals/+/ack",
        "bidwire/spring/daemons/+/status",
        "bidwire/spring/daemons/d1/director",
        "bidwire/spring/tables/+/state",
        "bidwire/spring/tables/+/rulings/+",
    ]


def test_a_spectator_reads_the_public_topic_and_nothing_else() -> None:
    assert filters(Role.SPECTATOR, "spring", Access.PUBLISH) == []
    assert filters(Role.SPECTATOR, "spring", Access.SUBSCRIBE) == [
        "bidwire/spring/public/+"
    ]


def test_a_serial_number_becomes_an_id() -> None:
    assert id_of_serial("SN 0042/A") == "sn-0042-a"
    assert id_of_serial("BW_7") == "bw_7"
    assert len(id_of_serial("X" * 40)) == 32
    with pytest.raises(TopicError, match="letters or digits"):
        id_of_serial("...")


@given(st.text(max_size=60))
def test_any_serial_number_becomes_an_id_or_is_refused(serial: str) -> None:
    try:
        check_level(id_of_serial(serial))
    except TopicError as error:
        assert "serial" in str(error)  # noqa: PT017 - refusing is allowed, too
