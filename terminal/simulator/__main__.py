"""``python -m terminal.simulator SETTINGS.json``: run simulated terminals.

Reports and commands are those of ``terminal.simulator.console``.
"""

import sys

from broker.process import run_program
from terminal.simulator.console import run_on_console
from terminal.simulator.settings import SimulatorSettings


def main(arguments: list[str]) -> int:
    """Run the simulator; returns its `broker.exits.ExitCode`."""
    return run_program(
        "terminal.simulator", arguments, SimulatorSettings, run_on_console
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
