"""What keeps a run from being official."""

import subprocess


def test_data_that_a_cache_may_hold(binaries, tmp_path):
    keys = (
        "run.tier=official", "problem.size=30011", "cases.kernel=[triad, read]",
        "cases.variant=[span]", "run.min_time_s=0", "run.max_time_s=0.1", "run.warmup_s=0",
    )  # fmt: skip
    words = [word for key in keys for word in ("--set", key)]
    done = subprocess.run(
        [binaries / "strata-stream", *words, "--strict", "--output", tmp_path / "r.json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    *_, result = done.stdout.splitlines()
    assert "status=FAIL valid=yes official=no reasons=size," in result
    assert "warning: caches may hold the data of 2 cases, such as triad/span/" in done.stdout
    assert "make the deck's problem larger" in done.stdout
