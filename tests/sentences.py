"""Sentences that code says outright, read from its source."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

SAMPLE = "H2"
"""What stands in each brace of a sentence found."""


def sentences_in(file: Path, calls: Collection[str], argument: int = 0) -> set[str]:
    """What a module gives to functions as a text, with a sample in each brace.

    Args:
        file: the module.
        calls: names of the functions, methods and classes.
        argument: which of the arguments is the text, of those without a name.
    """
    return {
        said
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args
        for said in _said(node, calls, argument)
    }


def _said(node: ast.Call, calls: Collection[str], argument: int) -> Iterator[str]:
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in calls and -len(node.args) <= argument < len(node.args):
        said = node.args[argument]
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            yield said.value
        elif isinstance(said, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else SAMPLE
                for part in said.values
            )
