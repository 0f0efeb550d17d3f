"""The normative test vectors, made from the code: ``python -m protocol.vectors``.

The file ``protocol/vectors.json`` is what it prints. Firmware in any language checks
itself against that file; what it holds is described in ``protocol/README.md`` (V).
"""

from typing import Any

from protocol.limits import VERSION
from protocol.vectors.daemon_side import daemon_conversations
from protocol.vectors.pieces import codes, frames, messages, parts, proofs
from protocol.vectors.taking import intakes
from protocol.vectors.terminal_side import terminal_conversations

__all__ = ["build"]


def build() -> dict[str, Any]:
    """All vectors, as they stand in the file."""
    return {
        "version": VERSION,
        "frames": frames(),
        "messages": messages(),
        "parts": parts(),
        "proofs": proofs(),
        "codes": codes(),
        "conversations": [*terminal_conversations(), *daemon_conversations()],
        "intake": intakes(),
    }
