"""What is wrong with a file, or left out of a ranking, in the language of the reader.

What reads records, scores, and changes event files says it in English, as the command
line does. The desk's pages get it in all languages; the sentences are recognised by
their pattern. What is wrong with the wording of an event file is told as it is.
"""

from broker.catalogue.sentences import Sentences
from desk.tools import Remark
from referee.catalogue import LANGUAGES, catalogue, noted
from referee.reasons import reason_in_words

COMPLAINTS = (
    # A file of deals.
    noted("{file}: expected deals in PBN, got none"),
    noted("expected one deal for board {board}, got another than on line {line}"),
    noted("expected the number of a board, got {got}"),
    noted("expected the four hands of board {board}, got none"),
    noted("no record found"),
    noted("expected records in PBN (.pbn), LIN (.lin) or a .table script"),
    noted("expected a Dealer tag or a Board number"),
    noted("expected the end, a brace, of the comment that begins here"),
    noted('expected a tag as in [Board "1"], got {got}'),
    noted("expected a tag, got {got}"),
    noted("Vulnerable: expected None, NS, EW or All, got {got}"),
    noted("Contract: expected as in 4S, 3NTX or Pass, got {got}"),
    noted("Result: expected tricks from 0 to 13 as in 9 or NS 9, got {got}"),
    noted("Deal: {reason}"),
    noted("Auction: expected a call (Pass X XX 1C to 7NT AP), got {got}"),
    noted("Auction: expected a call before its note"),
    noted("Auction: expected a call, got {got}"),
    noted("Play: expected a card (suit, rank) or '-', got {got}"),
    noted("{tag}: expected a seat (N E S W), got {got}"),
    noted("expected key|value|, got {got}"),
    noted("expected the deal (md)"),
    noted("md: expected the dealer as 1 S, 2 W, 3 N or 4 E, got {got}"),
    noted("md: {card} is held by both {seat} and {other}"),
    noted("md: hand of {seat}: expected 13 cards, got {got}"),
    noted("md: hand of {seat}: expected as in SAK2H3DT9C4, got {got}"),
    noted("sv: expected o, n, e or b, got {got}"),
    noted("mb: expected a call (p d r 1C to 7N), got {got}"),
    noted("pc: expected a card (suit, rank), got {got}"),
    noted("mc: expected declarer's tricks, 0 to 13, got {got}"),
    # A ranking.
    noted(
        "board {board}, table {table}: a penalty of {amount} {unit} for {pair} is not"
        " in the ranking, which counts {scoring}"
    ),
    noted("percent"),
    noted("imps"),
    noted("vps"),
    noted("matchpoints"),
    noted("cross-imps"),
    noted("butler"),
    noted("total-points"),
    noted("board {board} at table {table}: expected two teams, got {team} twice"),
    noted("{option}: expected one of {there}, got {got}"),
    noted("nothing yet"),
    noted("entry {number} does not fit: {error}"),
    # Another box at a terminal.
    noted(
        "{file}: terminals[{number}]: expected [[terminals]] with a line for each key;"
        " write {line} there by hand"
    ),
    noted("{file}: terminals: expected {there}, got {got}"),
    noted("{file}: {terminal} is a tablet: another takes its place when it joins"),
    noted("{file}: {terminal} is bound to {box} by now: look again"),
    noted("any box"),
    # A sentence behind its place in a file.
    noted("{file}:{line}, board {board}: {reason}"),
    noted("{file}:{line}: {reason}"),
)
"""In the order of the search."""

_SENTENCES = Sentences(COMPLAINTS, elsewhere=reason_in_words)


def remark_of(complaint: str) -> Remark:
    """A complaint in every language; in English where it is unknown."""
    texts = {
        code: _SENTENCES.in_words(complaint, catalogue(code)) for code in LANGUAGES
    }
    return Remark(texts.pop("en"), texts)


def is_known(complaint: str) -> bool:
    """Whether it is one of ``COMPLAINTS``."""
    return _SENTENCES.knows(complaint)
