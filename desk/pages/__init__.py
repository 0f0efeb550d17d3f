"""The pages of the desk: a module for each, with its ``PAGES``.

A page names the right that it asks for (``desk.rights``), and its endpoint gets an
``Asked`` that has passed the gate: logged in, with that right, its form its own. It
answers with ``asked.render(template, …)``; a command goes through ``desk.giving.give``.
A page that stays up to date draws its parts into an ``Update`` (``desk.live``).
"""

from desk.pages import deals, event, login, orders, results, room, terminals

PAGES = (
    *login.PAGES,
    *room.PAGES,
    *orders.PAGES,
    *event.PAGES,
    *deals.PAGES,
    *terminals.PAGES,
    *results.PAGES,
)
"""All pages, in the order of the navigation."""
