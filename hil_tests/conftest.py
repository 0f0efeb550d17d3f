"""``pytest hil_tests``: options, the terminal under test, the conformance report."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from hil_tests.bench import TOLERANCE
from hil_tests.carrier import CarrierError
from hil_tests.checks import check_of, place_of
from hil_tests.hands import CannotCauseError, Hands
from hil_tests.person import CONSOLE, PROMPT_SECONDS, NoConsoleError, Person
from hil_tests.report import (
    FAILED,
    PASSED,
    SKIPPED,
    Result,
    clause_lines,
    facts_about,
    failure_text,
    markdown,
)
from hil_tests.suite import Options, Suite
from hil_tests.watch import Deviation
from protocol.messages import Profile
from terminal.settings import BAUDRATE, Level

SUITE = pytest.StashKey[Suite]()
RESULTS = pytest.StashKey[dict[str, Result]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a maker says of his box."""
    group = parser.getgroup("conformance of a terminal")
    group.addoption(
        "--terminal",
        default="sim://",
        metavar="URL",
        help="a device, socket://HOST:PORT, rfc2217://HOST:PORT, ble://ADDRESS, or "
        "sim:// (default), sim://tcp, sim://ble for our simulated terminal",
    )
    group.addoption(
        "--profile",
        choices=[profile.value for profile in Profile],
        help="what the terminal must say that can be entered at it; sim:// is like it",
    )
    group.addoption(
        "--key", metavar="HEX", help="the terminal's key: the link is paired"
    )
    group.addoption(
        "--operator",
        action="store_true",
        help="a person at the box presses keys and restarts it when asked",
    )
    group.addoption(
        "--operator-timeout",
        type=float,
        default=PROMPT_SECONDS,
        metavar="SECONDS",
        help="for one action of the operator (default: %(default)g)",
    )
    group.addoption(
        "--operator-console",
        default=CONSOLE,
        metavar="TTY",
        help="where the operator is asked (default: %(default)s)",
    )
    group.addoption("--adapter", help="for ble://: the Bluetooth adapter, as hci0")
    group.addoption(
        "--baudrate", type=int, help=f"of a serial port (default: {BAUDRATE})"
    )
    group.addoption(
        "--dtr-rts",
        choices=[level.value for level in Level],
        default=Level.LEAVE.value,
        help="what becomes of DTR and RTS when the port is opened",
    )
    group.addoption(
        "--tolerance",
        type=float,
        default=TOLERANCE,
        metavar="SECONDS",
        help="by which a time may be off (default: %(default)g)",
    )
    group.addoption(
        "--conformance-report", metavar="FILE", help="write the report as Markdown"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the options."""
    key = config.getoption("--key")
    try:
        key_bytes = None if key is None else bytes.fromhex(key)
    except ValueError:
        raise pytest.UsageError("--key: expected pairs of hex digits") from None
    if key_bytes is not None and not 16 <= len(key_bytes) <= 64:
        raise pytest.UsageError("--key: expected 16 to 64 bytes")
    profile = config.getoption("--profile")
    options = Options(
        terminal=config.getoption("--terminal"),
        key=key_bytes,
        profile=Profile(profile) if profile else None,
        baudrate=config.getoption("--baudrate"),
        lines=Level(config.getoption("--dtr-rts")),
        adapter=config.getoption("--adapter"),
        tolerance=config.getoption("--tolerance"),
    )
    try:
        options.check()
    except CarrierError as error:
        raise pytest.UsageError(str(error)) from None
    hands: Hands | None = None
    if config.getoption("--operator"):
        if options.is_simulated:
            raise pytest.UsageError("--operator: sim:// has hands of its own")
        try:
            hands = Person(
                config.getoption("--operator-timeout"),
                config.getoption("--operator-console"),
            )
        except NoConsoleError as error:
            raise pytest.UsageError(str(error)) from None
    config.stash[SUITE] = Suite(options, hands)
    config.stash[RESULTS] = {}


def is_ours(item: pytest.Item) -> bool:
    """Whether a test is a check, when others run beside it."""
    return item.path.parent == Path(__file__).parent


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """In the order of the specification; a person is given time."""
    ours = [item for item in items if is_ours(item)]
    others = [item for item in items if not is_ours(item)]
    items[:] = others + sorted(ours, key=lambda item: place_of(check_of(item)))
    for item in ours:
        check = check_of(item)
        item.user_properties += [("clause", check.clause), ("expected", check.expected)]
        if config.getoption("--operator"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="session")
def suite(
    request: pytest.FixtureRequest,
    record_testsuite_property: Callable[[str, object], None],
) -> Iterator[Suite]:
    """The terminal under test, opened."""
    suite = request.config.stash[SUITE]
    try:
        suite.start(check_of(item) for item in request.session.items if is_ours(item))
    except OSError as error:
        suite.stop()
        pytest.exit(str(error), returncode=2)
    facts = facts_about(suite.options.terminal, suite.hello)
    for name, value in facts.items():
        record_testsuite_property(name, value)
    yield suite
    suite.stop()


@pytest.fixture
def bench(suite: Suite) -> Suite:
    """What runs the check of a test."""
    return suite


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what became of a check, and say it in the words of the report."""
    report = yield
    check, error = check_of(item), call.excinfo.value if call.excinfo else None
    results = item.config.stash[RESULTS]
    if isinstance(error, CannotCauseError):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, f"Skipped: {error}")
        results[item.nodeid] = Result(check, SKIPPED, str(error))
    elif isinstance(error, Deviation):
        report.longrepr = failure_text(check, error)
        results[item.nodeid] = Result(check, FAILED, deviation=error)
    elif isinstance(error, OSError):
        results[item.nodeid] = Result(check, FAILED, f"the terminal is gone: {error}")
        item.session.shouldstop = f"the terminal is gone: {error}"
    elif error is not None:
        results[item.nodeid] = Result(check, FAILED, f"{type(error).__name__}: {error}")
    elif report.when == "call":
        results[item.nodeid] = Result(check, PASSED)
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say it clause by clause, and write the report."""
    results = list(config.stash[RESULTS].values())
    if not results:
        return
    suite = config.stash[SUITE]
    facts = facts_about(suite.options.terminal, suite.hello)
    terminalreporter.section("conformance")
    for name, value in facts.items():
        terminalreporter.write_line(f"{name}: {value}")
    for line in clause_lines(results):
        terminalreporter.write_line(line)
    path = config.getoption("--conformance-report")
    if path:
        Path(path).write_text(markdown(results, facts), encoding="utf-8")
        terminalreporter.write_line(f"report: {path}")
