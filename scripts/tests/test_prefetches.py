"""Loops that prefetch do so when compiled: GCC drops calls of functions that only prefetch."""

import functools
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

# An executable, and words that the name of the function has which prefetches.
LOOPS = (
    ("strata-hexgrad", ("BasisGradient<", "LayoutLeft", "AccessStreaming")),
    ("strata-hexgrad", ("BasisGradientOfRows<", "AccessStreaming")),
    ("strata-mgs", ("FusedStep<", "LayoutLeft")),
    ("strata-contact", ("DetectInLanes<", "RaggedFillView")),
    ("strata-contact", ("RowStatistics<", "BufferedRowsView")),
)


@functools.cache
def functions(executable: Path) -> list[tuple[str, str]]:
    """Names of the executable's functions and their instructions."""
    listing = subprocess.run(
        ["objdump", "-d", "-C", "--no-show-raw-insn", executable],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return re.findall(r"^[0-9a-f]+ <(.*)>:\n((?:.+\n)*)", listing, re.MULTILINE)


@pytest.mark.parametrize(("executable", "words"), LOOPS)
def test_the_loop_prefetches(executable, words):
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs a build: run it by scripts/test")
    if platform.machine() != "x86_64" or shutil.which("objdump") is None:
        pytest.skip("reads instructions of x86-64, by objdump")
    bodies = [
        body
        for name, body in functions(Path(os.environ["STRATA_BUILD"]) / "bin" / executable)
        if all(word in name for word in words)
    ]
    assert bodies, "no function has such a name"
    assert any("\tprefetch" in body for body in bodies)
