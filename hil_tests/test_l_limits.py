"""Clauses L: the greatest that a terminal must take."""

from hil_tests.bench import Bench
from hil_tests.bodies import whole
from hil_tests.checks import check
from protocol.limits import MESSAGE_MAX, UINT32_MAX
from protocol.messages import Choice, Display


@check("L")
async def test_the_longest_message_is_taken(bench: Bench) -> None:
    """A DISPLAY of 1832 bytes, the longest message, is shown (MESSAGE_MAX)."""
    await bench.up()
    line = "x" * min(bench.hello.columns, 20)
    pages = [[line] * 4 for _ in range(16)]

    def display() -> Display:
        return bench.display(bench.seat, rev=rev, pages=pages)

    rev = bench.display(bench.seat).rev
    while len(whole(display())) < MESSAGE_MAX - len(line) - 10:
        next(page for page in pages if len(page) == min(map(len, pages))).append(line)
    rest = MESSAGE_MAX - len(whole(display()))
    pages[-1][-1] += "x" * (rest - (len(line) < 32 <= len(line) + rest))
    while len(whole(display())) < MESSAGE_MAX:
        pages[-1][-1] += "x"
    longest = display()
    bench.wire.send(longest)
    await bench.expect_display_shown(longest, "a display of 1832 bytes")


@check("L")
async def test_the_longest_lists_are_taken(bench: Bench) -> None:
    """A DISPLAY with 16 pages, 16 choices and 64 locks is shown."""
    await bench.up()
    bids = [f"{level}{suit}" for level in range(1, 8) for suit in ("C", "D", "H", "S")]
    locks = [*bids, *(f"key-{number}" for number in range(64 - len(bids)))]
    display = bench.display(
        bench.seat,
        pages=(("page",),) * 16,
        choices=tuple(Choice("bid", (n,), f"choice {n}") for n in range(16)),
        locks=tuple(locks),
    )
    bench.wire.send(display)
    await bench.expect_display_shown(display, "a display with the longest lists")


@check("L")
async def test_the_greatest_numbers_are_taken(bench: Bench) -> None:
    """A DISPLAY whose numbers are the greatest is shown (UINT32_MAX)."""
    await bench.up()
    display = bench.display(
        bench.seat,
        epoch=UINT32_MAX,
        rev=UINT32_MAX,
        play=UINT32_MAX,
        board=0xFFFF,
        at=UINT32_MAX,
    )
    bench.wire.send(display)
    await bench.expect_display_shown(display, "a display with the greatest numbers")
