"""The command's verbs, before any of them is run."""

import subprocess
import sys

import pytest
from conftest import ROOT

from strata_tools.__main__ import main


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "a", "b", "--fail-bellow", "1"], "strata compare: error: unknown argument "
         "--fail-bellow (did you mean --fail-below?)"),
        (["report", "--colour"], "strata report: error: unknown argument --colour"),
        ([], "strata: error: the following arguments are required: {run,race,submit,"
         "compare,report,seal,verify}"),
    ],
)  # fmt: skip
def test_a_wrong_word_is_answered_by_the_verbs_usage(capsys, words, message):
    with pytest.raises(SystemExit) as caught:
        main(words)
    lines = capsys.readouterr().err.splitlines()
    assert (caught.value.code, lines[-1]) == (2, message)
    assert lines[0].startswith(f"usage: {message.split(': ')[0]} ")
