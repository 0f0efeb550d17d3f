"""The game's words as the desk's pages have them; each goes through the catalogue."""

from desk.catalogue import noted
from desk.progress import Stage
from desk.role import Role
from desk.room_view import Urgency
from laws.cards import Denomination
from laws.seats import Seat, Side
from protocol.payloads import Artificial, LogKind, PenaltyUnit, Phase

SEATS = {
    Seat.NORTH: noted("North"),
    Seat.EAST: noted("East"),
    Seat.SOUTH: noted("South"),
    Seat.WEST: noted("West"),
}

SIDES = {
    Side.NORTH_SOUTH: noted("North-South"),
    Side.EAST_WEST: noted("East-West"),
}

STAGES = {
    Stage.UNKNOWN: noted("Not heard of"),
    Stage.TO_COME: noted("To come"),
    Stage.WAITING: noted("Not open yet"),
    Stage.READY: noted("Next"),
    Stage.PLAYING: noted("Playing"),
    Stage.FINISHED: noted("Finished"),
}
"""Where a table stands in a round."""

LETTERS = {
    Seat.NORTH: noted("N"),
    Seat.EAST: noted("E"),
    Seat.SOUTH: noted("S"),
    Seat.WEST: noted("W"),
    Side.NORTH_SOUTH: noted("NS"),
    Side.EAST_WEST: noted("EW"),
}
"""Seats and sides in headings; the lines of the table script keep their own."""

DENOMINATIONS = {
    Denomination.CLUBS: noted("clubs"),
    Denomination.DIAMONDS: noted("diamonds"),
    Denomination.HEARTS: noted("hearts"),
    Denomination.SPADES: noted("spades"),
    Denomination.NOTRUMP: noted("notrump"),
}

PHASES = {
    Phase.IDLE: noted("Between boards"),
    Phase.AUCTION: noted("Auction"),
    Phase.PLAY: noted("Play"),
    Phase.CLAIM: noted("Claim"),
    Phase.ENDED: noted("Ended"),
}

LINKS = {
    "online": noted("online"),
    "offline": noted("offline"),
    "refused": noted("refused"),
    "unknown": noted("not heard of"),
}

ROLES = {
    Role.DIRECTOR: noted("Director"),
    Role.ASSISTANT: noted("Assistant"),
    Role.READONLY: noted("Read only"),
}

REASONS = {
    Urgency.CALL: noted("Calls"),
    Urgency.HELD: noted("Waiting"),
    Urgency.PROPOSED: noted("Proposed"),
    Urgency.ALARM: noted("Alarms"),
    Urgency.OFFLINE: noted("Offline"),
}
"""What the room's numbers count."""

LOG_KINDS = {
    LogKind.BOARD: noted("Board"),
    LogKind.KEY: noted("Key"),
    LogKind.ASIDE: noted("Not applied"),
    LogKind.RULING: noted("Ruling"),
    LogKind.QUESTION: noted("Question"),
    LogKind.REFUSAL: noted("Refusal"),
    LogKind.DIRECTOR: noted("Director"),
    LogKind.CALL: noted("Call"),
    LogKind.RESULT: noted("Result"),
    LogKind.ALARM: noted("Alarm"),
    LogKind.LINK: noted("Link"),
}

ARTIFICIAL = {
    Artificial.PLUS: noted("average plus"),
    Artificial.AVERAGE: noted("average"),
    Artificial.MINUS: noted("average minus"),
}

UNITS = {
    PenaltyUnit.PERCENT: noted("% of a top"),
    PenaltyUnit.IMPS: noted("IMPs"),
    PenaltyUnit.VPS: noted("victory points"),
}

ANSWERS = {
    "yes": noted("Yes"),
    "no": noted("No"),
    "none": noted("None"),
    "accept": noted("Accept"),
    "decline": noted("Decline"),
    "agree": noted("Agree"),
    "object": noted("Object"),
    "play-on": noted("Play on"),
    "keep": noted("Keep"),
    "replace": noted("Replace"),
    "change": noted("Change"),
    "require": noted("Require"),
    "forbid": noted("Forbid"),
    "waive": noted("Waive"),
    "names": noted("Names"),
    "spread": noted("Spread the hand"),
    "highest": noted("the highest card"),
    "lowest": noted("the lowest card"),
}
"""Answers of the table script; others stand as they are."""
