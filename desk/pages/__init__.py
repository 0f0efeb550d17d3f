"""The pages of the desk: a module for each, with its ``PAGES``."""

from desk.pages import login, orders, room

PAGES = (*login.PAGES, *room.PAGES, *orders.PAGES)
"""All pages, in the order of the navigation."""
