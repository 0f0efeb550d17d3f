"""The 38 calls (Laws 3, 18)."""

import pytest

from laws.calls import BIDS, Call, bid_of
from laws.cards import DENOMINATIONS, Denomination


def test_there_are_38_calls_of_which_35_are_bids() -> None:
    assert len(Call) == 38
    assert len(BIDS) == 35
    assert [call for call in Call if not call.is_bid] == ["P", "X", "XX"]


def test_law_18_e_bids_ascend_by_level_and_denomination() -> None:
    bids = [bid_of(level, d) for level in range(1, 8) for d in DENOMINATIONS]
    assert list(BIDS) == bids
    assert [bid.height for bid in bids] == list(range(1, 36))


def test_parts_of_a_bid() -> None:
    assert Call.THREE_NOTRUMP.level == 3
    assert Call.THREE_NOTRUMP.denomination is Denomination.NOTRUMP
    assert (Call.PASS.level, Call.PASS.denomination, Call.PASS.height) == (0, None, 0)


@pytest.mark.parametrize("level", [0, 8])
def test_there_is_no_other_level(level: int) -> None:
    with pytest.raises(ValueError, match="is not a valid Call"):
        bid_of(level, Denomination.CLUBS)
