"""``python -m desk SETTINGS.json``: run the desk until SIGTERM or SIGINT."""

import sys

from broker.process import run_program
from desk.serving import listening, open_context, serve
from desk.settings import DeskSettings


async def _run(settings: DeskSettings) -> None:
    context = open_context(settings, lambda: settings.broker)
    await serve(context, listening(settings))


def main(arguments: list[str]) -> int:
    """Run the desk; returns its `broker.exits.ExitCode`."""
    return run_program("desk", arguments, DeskSettings, _run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
