"""Which language a page speaks."""

import pytest

from desk.languages import language_of
from desk.role import Role
from desk.users import User


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("es", "es"),
        ("es-AR,es;q=0.9,en;q=0.8", "es"),
        ("fr, es;q=0.3, en;q=0.5", "en"),
        ("en;q=0.2, ES", "es"),
        ("fr", "en"),
        ("es;q=nonsense, en;q=0.1", "en"),
        (";;,=", "en"),
    ],
)
def test_before_the_login_it_is_the_browsers(accepted: str, language: str) -> None:
    assert language_of(None, accepted) == language


@pytest.mark.parametrize(
    ("chosen", "language"), [("es", "es"), ("", "en"), ("x", "en")]
)
def test_then_it_is_the_users(chosen: str, language: str) -> None:
    user = User(
        name="Ana",
        role=Role.DIRECTOR,
        password="$argon2id$",  # noqa: S106 - none
        language=chosen,
    )
    assert language_of(user, "en") == language
