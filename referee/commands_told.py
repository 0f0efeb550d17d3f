"""What the Director did, as the log tells it, in the language of the reader."""

from protocol.payloads import (
    Adjustment,
    Artificial,
    DirectorCommand,
    Penalty,
    PenaltyUnit,
    Service,
    SideScore,
)
from protocol.scores import SYMBOLS, contract_told
from referee.catalogue import Catalogue, noted
from referee.names import letter, side_name

DONE: dict[Service, str] = {
    Service.OPEN: noted("opens board {board}"),
    Service.CLOSE: noted("closes the board"),
    Service.RELEASE: noted("has the oldest event of {terminal} judged that is held"),
    Service.CONFIRM: noted("confirms ruling {ruling}"),
    Service.REJECT: noted("rejects ruling {ruling}"),
    Service.ATTEND: noted("has seen to entry {subject}"),
    Service.ROUND: noted("opens round {round}"),
    Service.DEAL: noted("gives the hands of board {board}"),
    Service.HANDS: noted("looks at the hands"),
}
"""The services that a few values tell."""

DROPPED = noted("drops the oldest event of {terminal} that is held")

ARTIFICIAL = {
    Artificial.PLUS: noted("average plus"),
    Artificial.AVERAGE: noted("average"),
    Artificial.MINUS: noted("average minus"),
}

PENALTIES = {
    PenaltyUnit.PERCENT: noted("procedural penalty for {side}: {amount} % of a top"),
    PenaltyUnit.IMPS: noted("procedural penalty for {side}: {amount} IMPs"),
    PenaltyUnit.VPS: noted("procedural penalty for {side}: {amount} victory points"),
}


def command_in_words(command: DirectorCommand, words: Catalogue) -> str:
    """A command; a happening is the line of the table script that it is."""
    if command.service is None:
        return command.happening
    if command.service is Service.ADJUST and command.adjustment is not None:
        return _adjustment(command.adjustment, words)
    if command.service is Service.PENALTY and command.penalty is not None:
        return _penalty(command.penalty, words)
    source = DROPPED if command.drop else DONE.get(command.service)
    if source is None:
        return str(command.service)  # refused: there is no adjustment, or no penalty
    return words.text(
        source,
        board=command.board,
        round=command.round,
        ruling=command.ruling,
        subject=command.subject,
        terminal=command.terminal or words.text("the table"),
    )


def _adjustment(given: Adjustment, words: Catalogue) -> str:
    if given.ns is None or given.ew is None:
        said = words.text("takes the adjusted score back")
    else:
        said = words.text(
            "adjusts the score: NS {ns}, EW {ew}",
            ns=_side_score(given.ns, words),
            ew=_side_score(given.ew, words),
        )
    return f"{said}: {given.reason}" if given.reason else said


def _side_score(score: SideScore, words: Catalogue) -> str:
    """``average plus``, or the outcomes: ``+420 (4♠= N) 60 % / -50 40 %``."""
    if score.artificial is not None:
        return words.text(ARTIFICIAL[score.artificial])
    return " / ".join(
        " ".join(
            [
                f"{outcome.score_ns:+d}",
                *([f"({_outcome(outcome.told, words)})"] if outcome.told else []),
                *([f"{outcome.percent} %"] if len(score.outcomes) > 1 else []),
            ]
        )
        for outcome in score.outcomes
    )


def _outcome(told: str, words: Catalogue) -> str:
    """An outcome with the suit's symbol and the reader's letter of declarer."""
    of = contract_told(told)
    if of is None:
        return told
    suit = SYMBOLS[of.denomination]
    return f"{of.level}{suit}{of.result} {letter(of.declarer, words)}"


def _penalty(given: Penalty, words: Catalogue) -> str:
    said = words.text(
        PENALTIES[given.unit],
        side=side_name(given.side, words),
        amount=f"{given.amount:g}",
    )
    return f"{said}: {given.reason}" if given.reason else said
