"""Simulated terminals that break one rule each, to show that the checks see it."""

from hil_tests.faulty.frames import FRAME_FAULTS
from hil_tests.faulty.keys import KEY_FAULTS
from hil_tests.faulty.log import LOG_FAULTS
from hil_tests.faulty.messages import MESSAGE_FAULTS
from hil_tests.faulty.opening import OPENING_FAULTS
from hil_tests.faulty.rules import Fault, fault_of, made_with

FAULTS: dict[str, Fault] = {
    fault.name: fault
    for faults in (
        FRAME_FAULTS,
        MESSAGE_FAULTS,
        OPENING_FAULTS,
        LOG_FAULTS,
        KEY_FAULTS,
    )
    for fault in map(fault_of, faults)
}
"""All faults by name."""

__all__ = ["FAULTS", "Fault", "made_with"]
