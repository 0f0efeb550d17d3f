"""Pages as PDF, by WeasyPrint: an optional part of the installation."""

import logging
from collections.abc import Callable
from typing import Any

from desk.templating import STATIC

LOG = logging.getLogger(__name__)


class CannotPrintError(RuntimeError):
    """WeasyPrint, or the Pango that it needs, is not installed; says which."""


def pdf(html: str, sheet: str) -> bytes:
    """A page as PDF.

    Args:
        html: whole, with nothing in it that has to be fetched.
        sheet: name of its style sheet among the static files.

    Raises:
        CannotPrintError: this machine cannot.
    """
    page, style = _weasyprint()
    css = style(string=(STATIC / sheet).read_text(encoding="utf-8"))
    printed: bytes = page(string=html, url_fetcher=_nothing).write_pdf(
        stylesheets=[css]
    )
    return printed


def _weasyprint() -> tuple[Callable[..., Any], Callable[..., Any]]:
    try:
        from weasyprint import (  # type: ignore[import-untyped]  # noqa: PLC0415
            CSS,  # an optional extra
            HTML,
        )
    except (ImportError, OSError) as error:
        LOG.warning("no PDF: %s", error)
        raise CannotPrintError(str(error)) from error
    return HTML, CSS


def _nothing(url: str, *_: object, **__: object) -> dict[str, object]:
    """Fetches nothing: a report must not depend on, nor tell, anyone else."""
    raise ValueError(f"a report fetches nothing, got {url}")
