"""The conformance report: for each clause what was expected and what came."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hil_tests.checks import SECTIONS, Check
from hil_tests.watch import Deviation
from hil_tests.wire import Seen
from protocol.messages import Hello

PASSED, FAILED, SKIPPED = "pass", "fail", "skipped"

LAST_SEEN = 16
"""Things on the wire that a report shows of a check, the last ones."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one check."""

    check: Check
    verdict: str
    reason: str = ""
    """Why it was skipped, or what broke it that was no deviation."""
    deviation: Deviation | None = None


def wire_text(seen: list[Seen]) -> str:
    """What went over the wire: ``<`` from us, ``>`` from the terminal; the bytes."""
    if not seen:
        return "nothing went over the wire"
    shown = seen[-LAST_SEEN:]
    left_out = len(seen) - len(shown)
    head = [f"({left_out} earlier left out)"] if left_out else []
    return "\n".join([*head, *(line.told(seen[0].t) for line in shown)])


def failure_text(check: Check, deviation: Deviation) -> str:
    """All about a check that failed."""
    return "\n".join(
        [
            f"{check.clause}  {check.expected}",
            f"expected: {deviation.expected}",
            f"came:     {deviation.came}",
            "on the wire since the check began (< to the terminal, > from it):",
            wire_text(deviation.seen),
        ]
    )


def summary(results: Iterable[Result]) -> str:
    """One line: how many passed, failed, were skipped."""
    counts = Counter(result.verdict for result in results)
    return (
        f"{counts[PASSED]} passed, {counts[FAILED]} failed, {counts[SKIPPED]} skipped"
    )


def facts_about(terminal: str, hello: Hello | None) -> dict[str, str]:
    """What is known of the terminal, by name."""
    facts = {"terminal": terminal}
    if hello is None:
        return facts | {"hello": "none came"}
    return facts | {
        "serial": hello.serial,
        "firmware": hello.firmware,
        "seats": " ".join(seat.value for seat in hello.seats),
        "profile": hello.profile.value,
        "display": f"{hello.columns} x {hello.rows}, {hello.encoding.value}",
        "volatile": "yes" if hello.volatile else "no",
    }


def clause_lines(results: list[Result]) -> list[str]:
    """For a screen: a line for each section, and one for each check that failed."""
    lines = []
    for letter, title in SECTIONS.items():
        own = [r for r in results if r.check.clause[0] == letter]
        if own:
            lines.append(f"{letter}  {title}: {summary(own)}")
        lines += [
            f"   {r.check.clause:3} FAIL {r.check.expected}"
            for r in own
            if r.verdict == FAILED
        ]
    return lines


def markdown(results: list[Result], facts: dict[str, str]) -> str:
    """The whole report."""
    lines = ["# Conformance report", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    lines += ["", f"**{summary(results)}**", ""]
    for letter, title in SECTIONS.items():
        own = [r for r in results if r.check.clause[0] == letter]
        if not own:
            continue
        lines += [f"## {letter}. {title}", "", "| clause | result | expected |"]
        lines += ["|---|---|---|"]
        lines += [_row(result) for result in own]
        lines.append("")
        for result in own:
            lines += _details(result)
    return "\n".join(lines).rstrip() + "\n"


def _row(result: Result) -> str:
    check = result.check
    case = f" ({check.case})" if check.case is not None else ""
    why = f" *{result.reason}*" if result.verdict == SKIPPED else ""
    cells = (check.clause, result.verdict, f"{check.expected}{case}{why}")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _details(result: Result) -> list[str]:
    if result.verdict != FAILED:
        return []
    check, deviation = result.check, result.deviation
    head = [f"### {check.clause} failed: {check.name}", "", check.expected, ""]
    if deviation is None:
        return [*head, "```text", result.reason, "```", ""]
    return [
        *head,
        f"- expected: {deviation.expected}",
        f"- came: {deviation.came}",
        "",
        "```text",
        wire_text(deviation.seen),
        "```",
        "",
    ]
