"""All the checks: they list themselves when their modules are imported."""

import importlib

from hil_tests.checks import CHECKS
from tests.places import REPOSITORY

__all__ = ["CHECKS"]

for file in sorted((REPOSITORY / "hil_tests").glob("test_*.py")):
    importlib.import_module(f"hil_tests.{file.stem}")
