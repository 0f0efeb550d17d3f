"""Sizes and times of the wire, each named once with its unit.

The clause of ``protocol/README.md`` that fixes a value stands beside it.
"""

VERSION = 1
"""Protocol version in ASK, HELLO and WELCOME (O1)."""

BODY_MAX = 238
"""Bytes of a body at most: its frame then fits a 244-byte notification (F2)."""

CRC_BYTES = 4
"""Bytes of the CRC-32 that follows the body (F3)."""

FRAME_MAX = 244
"""Bytes of a frame at most, with its delimiters: MTU 247 less 3 (F2)."""

BLOCK_MAX = BODY_MAX + CRC_BYTES + 1
"""Bytes between two delimiters at most: COBS adds one byte here (F4)."""

PART_MAX = 8
"""Parts of one message at most (P1)."""

PART_BYTES = 229
"""Bytes of content in a part at most (P1)."""

MESSAGE_MAX = PART_MAX * PART_BYTES
"""Bytes of an encoded message at most, in parts (P1)."""

NESTING_MAX = 8
"""Arrays and maps within one another in a body, at most (M3)."""

OPENING_S = 2.0
"""Seconds between two ASK, or two HELLO, while a link opens (O2, O3)."""

ASTRAY_MAX = 3
"""ASK of one opening that a terminal which must be paired hears and does not answer,
but an earlier one, before it is refused (X5)."""

WELCOME_AGAIN_S = 1.0
"""Seconds that must have passed since WELCOME before a repeated HELLO gets another
one (O4)."""

REFUSED_S = 30.0
"""Seconds between two HELLO of a terminal that was refused (O7)."""

SILENCE_S = 2.0
"""Seconds without a message from the far side before a PING is sent (S1)."""

DOWN_S = 6.0
"""Seconds without a message from the far side after which the link is down (S2)."""

VITALS_S = 10.0
"""Seconds between two PING of a terminal at most (S3)."""

REPEAT_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds to wait before each repeat; the last one goes on (R1)."""

LATE_S = 2.0
"""Seconds after its key press from which an event that is not acknowledged is shown
to the user as not sent (E8)."""

REPEATED_ACK_S = 0.2
"""Seconds that must have passed since an event was sent before a repeated
ACK makes the terminal send it again (R4)."""

WINDOW = 16
"""Events sent and not yet acknowledged, at most (R2)."""

POLLS_MAX = 16
"""Polls under way on one link, at most; the oldest gives way (S5)."""

INBOX_MAX = 256
"""Occurrences a link keeps for its shell; further messages are dropped, and
repeated by their sender."""

OUTBOX_MAX = 16_384
"""Bytes a link keeps for its carrier; further messages are dropped, and repeated
later."""

HELD_MAX = 8
"""Boots named in a HELLO, at most (E4)."""

FIRST_BOOT_MAX = 0x7FFF_FFFF
"""Greatest number that a counter of restarts begins with (E3)."""

NONCE_BYTES = 16
"""Bytes of a nonce (X1)."""

PROOF_BYTES = 32
"""Bytes of a proof: HMAC-SHA-256 (X2)."""

CODE_CHARACTERS = 10
"""Characters of a web terminal's join code: 50 bits (X8)."""

CODE_ITERATIONS = 20_000
"""Rounds of PBKDF2 from a join code to its key (X8)."""

UINT32_MAX = 0xFFFF_FFFF
"""Greatest number in any field (M3)."""

AGE_UNKNOWN_MS = UINT32_MAX
"""Age of an event whose key was pressed before the terminal restarted (E5)."""

TEXT_MAX = 120
"""Characters of a text in an event's data, and of a reason, at most (E6)."""

LINE_MAX = 200
"""Characters of a Director's line of the table script, at most (J7)."""

DEAL_MAX = 80
"""Characters of a deal in PBN, at most: four hands of 13 cards have 69."""
