"""What the fragments of a table's pages are drawn with."""

from typing import Any

from desk.gate import Asked
from laws.calls import Call
from laws.cards import Card


def fragment(asked: Asked, template: str, **values: Any) -> str:  # noqa: ANN401 - of the template
    """A part of a page about tables, drawn."""
    token = asked.context.form_token(asked.cookie)
    return asked.fragment(template, form_token=token, **common(asked), **values)


def common(asked: Asked) -> dict[str, Any]:
    """What templates about tables use beside their own values.

    ``back`` is where a form of the page leads to afterwards.
    """
    path = asked.request.url.path
    return {
        "back": path.removesuffix("/live") or "/",
        "as_call": Call,
        "as_card": Card,
    }
