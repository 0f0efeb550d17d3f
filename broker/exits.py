"""How a daemon ends: the exit codes of `python -m referee` and `python -m terminal`."""

from enum import IntEnum

from broker.errors import BrokerError, CertificateError, RefusedError, TakenOverError


class ExitCode(IntEnum):
    """Exit codes of a daemon; a supervisor, `bidwire up` or systemd, goes by them.

    With systemd: `Restart=on-failure`, `RestartPreventExitStatus=2 3`.
    """

    STOPPED = 0
    """Told to stop."""
    FAILED = 1
    """Something broke that may work at the next attempt: start it again."""
    UNUSABLE = 2
    """The settings, or a file that they name, cannot work: a person must mend them."""
    TAKEN_OVER = 3
    """Another process does this work now: started again, the two would fight for it
    for ever."""


def is_final(code: int) -> bool:
    """Whether a process that ended with this code is not to be started again."""
    return code in {ExitCode.UNUSABLE, ExitCode.TAKEN_OVER}


def exit_code(error: BrokerError) -> ExitCode:
    """How a daemon ends that this error has stopped.

    A refused subscription may pass: a nats-server whose disk is full refuses them.
    """
    match error:
        case CertificateError() | RefusedError():
            return ExitCode.UNUSABLE
        case TakenOverError():
            return ExitCode.TAKEN_OVER
        case _:
            return ExitCode.FAILED
