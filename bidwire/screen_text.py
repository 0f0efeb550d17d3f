"""Texts that others have typed, on the lines of a console."""


def on_one_line(text: str) -> str:
    """A line for people, in which nobody's words begin another or steer the screen.

    What a player types reaches the Director's console: a line break in it could pass
    for a word of Bidwire's own.
    """
    return "".join(each if each.isprintable() else " " for each in text)
