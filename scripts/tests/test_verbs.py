"""The command's verbs, before any of them is run."""

import subprocess
import sys

from conftest import ROOT


def test_running_suites_takes_none_of_the_packages_of_reports():
    """Where there is no virtual environment yet, PyYAML is all that the system's Python has."""
    absent = ("fastjsonschema", "jinja2", "jsonschema", "matplotlib", "numpy", "scipy")
    program = f"""
import sys
sys.modules.update(dict.fromkeys({absent}))
from strata_tools.__main__ import main
main(["--help"])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT / "scripts", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "Compares runs: ratios of what is alike" in done.stdout
    assert "Reports on runs: one page for people" in done.stdout
