"""How a tablet joins: the codes of a daemon's web terminals, and their addresses."""

from pathlib import Path

import msgspec

from protocol.pairing import read_code
from terminal.settings import DaemonSettings, TerminalSettings, is_web
from terminal.web.codes import join_codes


def with_codes(settings: DaemonSettings) -> DaemonSettings:
    """The settings with a join code for every web terminal.

    Raises:
        CodesError: the codes cannot be read or kept.
    """
    missing = [t.id for t in settings.terminals if is_web(t.port) and t.key is None]
    if not missing or settings.web is None:
        return settings
    codes = join_codes(Path(settings.web.codes), missing)
    terminals = tuple(
        msgspec.structs.replace(terminal, key=codes.get(terminal.id, terminal.key))
        for terminal in settings.terminals
    )
    return msgspec.structs.replace(settings, terminals=terminals)


def join_address(settings: DaemonSettings, terminal: TerminalSettings) -> str:
    """The address with code at which a web terminal joins, empty for any other.

    What follows the ``#`` a browser sends to nobody.
    """
    if not is_web(terminal.port) or settings.web is None or terminal.key is None:
        return ""
    return f"{settings.web.base}/#{terminal.id}-{read_code(terminal.key)}"
