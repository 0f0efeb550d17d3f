"""Jinja2 as the desk's pages use it: everything is escaped, nothing is undefined."""

import hashlib
from functools import cache, partial
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from broker.line_reasons import line_reason_in_words
from desk import words
from desk.catalogue import catalogue
from desk.told import told, told_reason
from protocol.scores import SYMBOLS, contract_told

STATIC = files("desk") / "static"


@cache
def static(name: str) -> str:
    """Address of a static file, another one for each content."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:8]
    return f"/static/{name}?v={digest}"


def clock(seconds: float) -> str:
    """A span of time as clocks show it: ``2:41``, ``1:02:41``."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def span(seconds: float) -> str:
    """A long span of time in the units of SI, to the minute: ``26 h 05 min``."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"


@cache
def _environment(language: str) -> Environment:
    """Templates of one language: what they import is then made only once."""
    environment = Environment(
        loader=PackageLoader("desk"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    own = catalogue(language)
    environment.globals.update(
        text=own.text,
        texts=own.texts,
        language=language,
        told=partial(told, language=language),
        told_reason=partial(told_reason, language=language),
        line_reason=partial(line_reason_in_words, words=own),
        static=static,
        seats=words.SEATS,
        letters=words.LETTERS,
        denominations=words.DENOMINATIONS,
        symbols=SYMBOLS,
        contract_told=contract_told,
        phases=words.PHASES,
        links=words.LINKS,
        roles=words.ROLES,
        reasons=words.REASONS,
        sides=words.SIDES,
        stages=words.STAGES,
        log_kinds=words.LOG_KINDS,
        answer_words=words.ANSWERS,
        units=words.UNITS,
    )
    environment.filters["clock"] = clock
    environment.filters["span"] = span
    return environment


def rendered(template: str, language: str, **values: object) -> str:
    """A template in a language, with its values filled in."""
    return _environment(language).get_template(template).render(values)
