"""What a user of the desk is; ``desk.rights`` has what each may do."""

from enum import StrEnum


class Role(StrEnum):
    """What a user of the desk is."""

    DIRECTOR = "director"
    ASSISTANT = "assistant"
    """All but adjusting scores and overruling."""
    READONLY = "readonly"
    """Sees the public facts: never a hidden card, a suspicion or a silent call."""
