"""The pages of the desk: a module for each, with its ``PAGES``.

A page names the right that it asks for (``desk.rights``), and its endpoint gets an
``Asked`` that has passed the gate: logged in, with that right, its form its own. It
answers with ``asked.render(template, …)``; a command goes through ``desk.giving.give``.
A page that stays up to date draws its parts into an ``Update`` (``desk.live``).
"""

from desk.pages import (
    calls,
    correct,
    deals,
    event,
    login,
    orders,
    play,
    report,
    results,
    room,
    table,
    terminals,
)

PAGES = (
    *login.PAGES,
    *room.PAGES,
    *calls.PAGES,
    *table.PAGES,
    *play.PAGES,
    *correct.PAGES,
    *report.PAGES,
    *orders.PAGES,
    *event.PAGES,
    *deals.PAGES,
    *terminals.PAGES,
    *results.PAGES,
)
"""All pages, in the order of the navigation."""
