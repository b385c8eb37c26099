"""Loops that prefetch do so when compiled: GCC drops calls of functions that only prefetch."""

import functools
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from source_faults import on_gpu

# An executable and a pattern: at least one of the functions whose names match prefetches.
LOOPS = (
    ("strata-hexgrad", r"BasisGradient<.*LayoutLeft.*AccessDefault"),
    ("strata-hexgrad", r"BasisGradient<.*LayoutLeft.*AccessStreaming"),
    ("strata-hexgrad", r"BasisGradient<.*LayoutTiled.*AccessStreaming"),
    ("strata-hexgrad", r"BasisGradientOfRows<.*AccessStreaming"),
    ("strata-hexgrad", r"tile_by_hand|launch_tiles"),
    ("strata-hexgrad", r"columns_by_hand|launch_columns"),
    ("strata-mgs", r"FusedStep<.*LayoutLeft"),
    ("strata-contact", r"DetectInLanes<.*RaggedFillView"),
    ("strata-contact", r"(RowStatistics|fold_in_turn)<.*BufferedRowsView"),
)


@functools.cache
def functions(executable: Path) -> list[tuple[str, str]]:
    """Names of the executable's functions and their instructions."""
    listing = subprocess.run(
        ["objdump", "-d", "-C", "--no-show-raw-insn", executable],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return re.findall(r"^[0-9a-f]+ <(.*)>:\n((?:.+\n)*)", listing, re.MULTILINE)


@pytest.mark.parametrize(("executable", "pattern"), LOOPS)
def test_the_loop_prefetches(executable, pattern):
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs a build: run it by scripts/test")
    if platform.machine() != "x86_64" or shutil.which("objdump") is None:
        pytest.skip("reads instructions of x86-64, by objdump")
    build = Path(os.environ["STRATA_BUILD"])
    if on_gpu(build):
        pytest.skip("these are loops of a host")
    bodies = [
        body for name, body in functions(build / "bin" / executable) if re.search(pattern, name)
    ]
    assert bodies, "no function has such a name"
    assert any("\tprefetch" in body for body in bodies)
