"""``bidwire join``: the addresses at which tablets become an event's web terminals."""

import io
from pathlib import Path

import segno

from bidwire.bindings import number_of
from bidwire.event_file import EventFileError, naming, read_event_file
from bidwire.event_settings import terminal_settings, web_settings
from broker.settings import BrokerSettings
from terminal.settings import DaemonSettings, is_web
from terminal.web.joining import join_address, with_codes


def tell_addresses(path: Path, terminal: str | None) -> dict[str, str]:
    """The join address of each web terminal of an event, or of one.

    Codes that have not been made yet are made: the daemon finds them.

    Args:
        path: the event file.
        terminal: the terminal's id; None for all.

    Raises:
        EventFileError: the event file is wrong, or has no such web terminal.
        CodesError: the join codes cannot be read or kept.
    """
    event = read_event_file(path)
    folder = path.resolve().parent
    with naming(path):
        numbers = range(len(event.terminals))
        if terminal is not None:
            numbers = range(n := number_of(event, terminal), n + 1)
        web = web_settings(event, folder)
        wanted = [n for n in numbers if is_web(event.terminals[n].port)]
        if web is None or not wanted:
            which = terminal or "a terminal"
            raise EventFileError(f'terminals: expected port = "web://" of {which}')
        settings = with_codes(
            DaemonSettings(
                event=event.event.id,
                daemon="join",
                broker=BrokerSettings(),
                terminals=tuple(terminal_settings(event, n, folder) for n in wanted),
                web=web,
            )
        )
    return {each.id: join_address(settings, each) for each in settings.terminals}


def qr_code(address: str) -> str:
    """An address as a QR code in characters, for a dark or a light screen."""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()
