"""Why a terminal is not there, in the language of the reader.

The daemons say so in their statuses, in English. Both the referee, whose alarms repeat
it, and the desk tell people of it. What an operating system or a Bluetooth stack says
of its own errors is told as it is.
"""

from pathlib import Path

from broker.catalogue import Catalogue, Texts, noted
from broker.catalogue.sentences import Sentences

TEXTS = Texts("broker", Path(__file__).parent / "locale")

LINE_REASONS = (
    # Whoever is there does not belong there.
    noted("{reason}; keeps events {events}"),
    noted("{reason}, which belongs to {terminal}"),
    noted("expected serial number {serial}, got {got}"),
    noted("expected seats {seats}, got {got}"),
    noted("a tablet at {address} does not know the join code: {reason}"),
    noted("it proves no key"),
    noted("the key is another"),
    noted("it goes on answering an earlier opening, as a replay does"),
    noted("this daemon speaks {version}"),
    noted("{port}: the terminal takes paired daemons only"),
    noted("{port}: the terminal does not pair: {error}"),
    noted("refused"),
    # It is not there, or no longer.
    noted("{reason}; last heard {seconds} s before"),
    noted("the port has not been opened yet"),
    noted("no tablet has joined yet"),
    noted("the terminal has not answered yet"),
    noted("waiting for the referee's first answer"),
    noted("no sign of life"),
    noted("the terminal opens the link anew"),
    noted("the daemon opens the link anew"),
    noted("its carrier was lost"),
    noted("the port hung up"),
    noted("the daemon has stopped"),
    noted("the daemon closed it"),
    noted("the daemon closes it"),
    noted("the tablet has gone"),
    noted("another tablet has joined"),
    noted("the join code is another now"),
    noted("nothing came for {seconds} s"),
    noted("the Bluetooth connection was lost"),
    noted("offline"),
    # Its port does not open.
    noted("{port}: does not open within {seconds} s"),
    noted("{port}: in use by another process; a port serves one daemon"),
    noted("{port}: no such device; is the terminal plugged in?"),
    noted("{port}: may not be opened by this user; is it in group dialout?"),
    noted("{port}: cannot be opened: {error}"),
    noted("{port}: daemon {daemon} serves this terminal"),
    noted("{port}: not heard: {adapter} hears nothing at all any more"),
    noted("{port}: not heard; is the terminal switched on and near?"),
    noted("{port}: connecting: not done within {seconds} s"),
    noted("{port}: connecting: given up"),
    noted("{port}: connecting: {error}"),
    noted("{port}: writing: not done within {seconds} s"),
    noted("{port}: writing: given up"),
    noted("{port}: writing: {error}"),
)
"""What ``terminal`` and the link of ``protocol`` say, in the order of the search."""

_SENTENCES = Sentences(LINE_REASONS)


def line_reason_in_words(reason: str, words: Catalogue) -> str:
    """A reason of a status in the language of a catalogue, be it another package's.

    As it is when it is unknown.
    """
    return _SENTENCES.in_words(reason, TEXTS.catalogue(words.language))


def is_known(reason: str) -> bool:
    """Whether it is one of ``LINE_REASONS``."""
    return _SENTENCES.knows(reason)
