"""`strata race`, with small programs in the places of executables and launcher."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic
from conftest import PATIENCE, ROOT, write_program

from strata_tools.__main__ import main

MPIEXEC = """
[[ $1 == --version ]] && echo HYDRA && exit
while [[ $1 != /* ]]; do shift; done
exec "$@"
"""
APP = """
here=$(dirname "$0") words=" $* "
[[ $words == *" --version "* ]] && echo "strata-@APP@ 0.1.0 (0000)" && exit
[[ $words == *" --set bad=1 "* ]] && echo 'deck:1:1: no such key' >&2 && exit 3
[[ $words == *" --print-deck "* ]] && echo "${DECK:-}" && exit
[[ $words == *" --list "* ]] && printf '@APP@/%s\\n' triad copy dot add && exit
while (($#)) && [[ $1 != --output-dir ]]; do shift; done
(($#)) || exit 2
mkdir -p "$2"
exec 9>"$LAUNCHES.lock" && flock 9  # two may run at once
echo "${here##*/}$words" >>"$LAUNCHES"
count=$(wc -l <"$LAUNCHES")
exec 9>&-
eval "${BEFORE:-}"
file=$2/$count.json
sed "s/@ID@/20260101T000000Z-$count-0000/; s/@SECOND@/$(printf %02d $((count % 60)))/" \
  "$here/record.json" >"$file"
echo "RESULT v=1 app=@APP@ status=PASS valid=yes exit=0 file=$file"
"""


def template(**about):
    document = synthetic.record(**about)
    document["run"]["id"] = "@ID@"
    document["run"]["start_utc"] = "2026-01-01T00:00:@SECOND@Z"
    return json.dumps(document)


def executables(folder, apps=("stream",), **about):
    for app in apps:
        write_program(folder / f"strata-{app}", APP.replace("@APP@", app))
    (folder / "record.json").write_text(template(**about))
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """Two folders of executables, a and b; launches are counted in `launches`."""
    write_program(tmp_path / "path/mpirun", MPIEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:{os.environ['PATH']}")
    monkeypatch.setenv("LAUNCHES", str(tmp_path / "launches"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.delenv("BEFORE", raising=False)
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        executables(tmp_path / name)
    return tmp_path


def race(capsys, *words):
    """Exit code and output of a race in the folder r, of one rank."""
    code = main(["race", "--ranks", "1", "--output-dir", "r", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def launches(here):
    """The sides of the launches that were made, in their order."""
    file = here / "launches"
    return "".join(line[0] for line in file.read_text().splitlines()) if file.exists() else ""


def manifest(here):
    return json.loads((here / "r/race.json").read_text())


def test_launches_pairs_in_abba_order_and_compares_them(here, capsys):
    code, out, err = race(capsys, "a", "b", "--pairs", 9)
    assert (code, launches(here)) == (0, "abba" * 4 + "ab")
    assert out.splitlines()[:3] == [
        "A = a: 9 records (alpha, Imaginary CPU × 1, commit 00000000)",
        "B = b: 9 records (alpha, Imaginary CPU × 1, commit 00000000)",
        "design: pairs in ABBA order (Hodges-Lehmann ratio and its interval; Wilcoxon's "
        "signed-rank test)",
    ]
    assert "triad/span/left/double  9 pairs" in out
    assert out.endswith("4 compared, 4 no difference shown\n")
    assert err.splitlines()[0] == "pair 1 of 9: A B"
    assert err.splitlines()[1].startswith("pair 2 of 9: B A, about ")
    assert err.splitlines()[-1] == f"the race is in {here}/r"
    told = [(one["pair"], one["position"], one["side"]) for one in manifest(here)["launches"]]
    assert told[:4] == [(1, 1, "A"), (1, 2, "B"), (2, 1, "B"), (2, 2, "A")]
    assert "RESULT" in (here / "r/A/stream-009.out").read_text()


def test_the_comparison_can_be_shown_again(here, capsys):
    out = race(capsys, "a", "b", "--pairs", 2)[1]
    (here / "r").rename(here / "moved")
    assert main(["compare", "moved"]) == 0
    assert capsys.readouterr().out == out


def test_both_sides_are_handed_the_same_words(here, capsys):
    (here / "d.yaml").write_text("strata: 1\napp: stream\n")
    words = ["--set", "x=1", "--only", "triad", "--", "d.yaml", "--kokkos-num-threads=2"]
    assert race(capsys, "a", "b", "--pairs", 1, *words)[0] == 0
    handed = "--deck d.yaml --set x=1 --only triad --kokkos-num-threads=2"
    assert (here / "launches").read_text() == (
        f"a {handed} --output-dir {here}/r/A \nb {handed} --output-dir {here}/r/B \n"
    )
    assert manifest(here)["words"] == handed.split()


def test_pairs_are_as_many_as_can_show_something(here, capsys):
    """Of four cases; each listed line is one."""
    code = main(["race", "a", "b", "--ranks", "1", "--dry-run"])
    out, err = capsys.readouterr()
    assert (code, err, len(out.splitlines())) == (0, "", 2 * 16)
    assert launches(here) == ""
    assert race(capsys, "a", "b", "--pairs", 3)[2].startswith(
        "note: 3 pairs can show nothing of 4 cases; 9 are the fewest that can, 16 are advised\n"
    )


def test_a_launch_that_fails_ends_the_race(here, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE", '[[ $count -ne 6 ]] || { echo "no memory" >&2; exit 5; }')
    code, out, err = race(capsys, "a", "b", "--pairs", 9)
    assert (code, out, launches(here)) == (5, "", "abbaab")
    assert err.splitlines()[-3:] == [
        "no memory",
        f"pair 3, B: strata-stream ended with exit code 5; above is the end of "
        f"{here}/r/B/stream-003.out",
        "the race ended with 2 of 9 pairs; nothing is claimed. It goes on by the same command "
        f"with --output-dir {here}/r",
    ]
    assert len(manifest(here)["launches"]) == 5


def test_a_race_goes_on_with_the_next_whole_pair(here, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE", "[[ $count -ne 6 ]] || exit 5")
    race(capsys, "a", "b", "--pairs", 9)
    monkeypatch.delenv("BEFORE")
    code, out, err = race(capsys, "a", "b", "--pairs", 4)
    assert (code, launches(here)) == (0, "abbaab" + "abbaabbaabbaab")
    assert "9 pairs" in out
    assert err.splitlines()[1] == "pair 3 of 9: A B"  # after the note on four pairs
    assert race(capsys, "a", "b", "--pairs", 10)[0] == 0
    assert launches(here)[20:] == "ba"


@pytest.mark.parametrize(
    ("about", "words"),
    [({"tier": "smoke"}, "is of tier smoke, which measures nothing to go by"),
     ({}, "is not valid (fault_injected)")],
)  # fmt: skip
def test_a_launch_that_is_not_to_be_compared_ends_the_race(here, capsys, about, words):
    executables(here / "b", **about)
    if not about:
        spoil(here / "b/record.json")
    code, out, err = race(capsys, "a", "b", "--pairs", 9)
    assert (code, out, launches(here)) == (6, "", "ab")
    assert f"pair 1, B: strata-stream left a record that {words}; above is " in err


def spoil(file):
    document = json.loads(file.read_text())
    reasons = ["fault_injected"]
    document["validity"] = {"valid": False, "official": False, "reasons": reasons}
    file.write_text(json.dumps(document))


def test_force_goes_on_and_says_so(here, capsys):
    spoil(here / "b/record.json")
    program = here / "b/strata-stream"
    program.write_text(program.read_text() + "exit 6\n")
    code, out, _ = race(capsys, "a", "b", "--pairs", 1, "--force")
    assert (code, out.splitlines()[0][:7]) == (10, "FORCED:")
    assert "(B has a record that is not valid (fault_injected))" in out


def test_a_launch_without_a_record_ends_the_race(here, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE", "echo RESULT v=1 app=x status=PASS exit=0 file=none; exit")
    code, _, err = race(capsys, "a", "b", "--pairs", 1)
    assert code == 1
    assert "pair 1, A: strata-stream left no record: none: cannot be read: No such file" in err


def test_a_record_must_lie_in_the_folder_of_its_side(here, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE", 'set -- "$1" .')
    code, _, err = race(capsys, "a", "b", "--pairs", 1)
    assert code == 1
    assert "pair 1, A: strata-stream wrote its record elsewhere: 1.json; above is" in err


def test_an_executable_that_changes_ends_the_race(here, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE", '[[ $count -ne 3 ]] || echo "# new" >>"$here/strata-stream"')
    code, _, err = race(capsys, "a", "b", "--pairs", 9)
    assert (code, launches(here)) == (2, "abb")
    assert err.splitlines()[-1] == (
        f"{here}/b/strata-stream was changed while it raced; begin again, in another folder"
    )


def test_a_folder_has_one_race(here, capsys):
    race(capsys, "a", "b", "--pairs", 1)
    code, _, err = race(capsys, "a", "b", "--pairs", 1, "--only", "x")
    assert code == 2
    assert err.splitlines()[-1] == (
        "r has another race: its executables, apps, words, ranks or turns are not these; name "
        "another --output-dir"
    )
    (here / "r/race.json").write_text("[]")
    code, _, err = race(capsys, "a", "b", "--pairs", 1)
    assert code == 2
    assert err.splitlines()[-1] == f"{here}/r/race.json: is not what `strata race` writes"


def test_several_apps_take_turns_within_a_pair(here, capsys):
    for name in "ab":
        executables(here / name, ("mgs", "stream"))
    assert race(capsys, "a", "b", "--pairs", 2)[0] == 0
    assert manifest(here)["apps"] == ["mgs", "stream"]
    told = [(one["app"], one["side"]) for one in manifest(here)["launches"]]
    assert told[:4] == [("mgs", "A"), ("mgs", "B"), ("stream", "A"), ("stream", "B")]
    assert told[4:6] == [("mgs", "B"), ("mgs", "A")]


def test_a_deck_chooses_its_app(here, capsys):
    for name in "ab":
        executables(here / name, ("mgs", "stream"))
    (here / "d.yaml").write_text("strata: 1\napp: mgs\n")
    race(capsys, "a", "b", "--pairs", 1, "--", "d.yaml")
    assert manifest(here)["apps"] == ["mgs"]


@pytest.mark.parametrize("place", ["", "bin", "build/run/bin"])
def test_sides_may_be_folders_builds_or_clones(here, capsys, place):
    executables(here / "c" / place)
    assert race(capsys, "a", "c", "--pairs", 1)[0] == 0
    side = manifest(here)["sides"]["B"]
    assert side["executables"]["stream"]["path"] == str(here / "c" / place / "strata-stream")


def test_an_executable_says_itself_of_which_app_it_is(here, capsys):
    (here / "b/strata-stream").rename(here / "b/tuned")
    assert race(capsys, "a/strata-stream", "b/tuned", "--pairs", 1)[0] == 0
    assert manifest(here)["apps"] == ["stream"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["a", "none"], 2, "B: none does not exist; name an executable, or a folder with "
         "strata-APP in it, in its bin or its build/run/bin"),
        (["a", "launcher"], 2, "B: launcher has no executables strata-APP, nor has its bin or "
         "its build/run/bin; scripts/run builds them"),
        (["a", "path/mpirun"], 2, "B: {here}/path/mpirun does not answer --version as Strata's "
         "apps do; a peer is named as babelstream:PROGRAM"),
        (["a", "b", "--app", "mgs"], 2, "not both sides have strata-mgs: A has stream; B has "
         "stream"),
        (["a", "b", "--", "x.yaml"], 2, "x.yaml is no file; a deck stands first after --"),
        (["a", "b", "--", "--output=x"], 2, "--output=x after -- is not for a race"),
        (["a", "b", "--", "--in-turn=x"], 2, "--in-turn=x after -- is not for a race"),
        (["a", "b", "--ranks", "2", "--turns", "samples"], 2,
         "--turns samples is for --ranks 1 and two sides of Strata's: others cannot wait for "
         "one another within a launch"),
        (["a", "b", "--set", "bad=1"], 3, "A: strata-stream refuses what it is to measure:\n"
         "deck:1:1: no such key"),
        (["babelstream:a/strata-stream", "babelstream:a/strata-stream"], 2,
         "A and B are both peers; one side must be Strata's"),
        (["a", "babelstream:'"], 2, "B: babelstream:' names no program"),
        (["a", "b", "--system", "none.yaml"], 3, None),
    ],
)  # fmt: skip
def test_refuses_what_it_cannot_race(here, capsys, words, code, message):
    (here / "launcher").mkdir()
    found, out, err = race(capsys, *words)
    assert (found, out, launches(here)) == (code, "", "")
    if message:
        assert err.rstrip("\n") == message.format(here=here)


def test_unlike_numbers_of_devices_want_ranks(here, capsys, monkeypatch):
    for name, count in (("a", 2), ("b", 4)):
        folder = here / name
        (folder / "CMakeCache.txt").write_text(f"Kokkos_DIR:PATH={folder}\n")
        backend = "CUDA" if count == 4 else "OPENMP"
        (folder / "KokkosConfigCommon.cmake").write_text(f"set(Kokkos_DEVICES {backend})\n")
    monkeypatch.setattr("strata_tools.machine.cuda_devices", lambda: 4)
    monkeypatch.setattr("strata_tools.machine.numa_nodes", lambda _: 2)
    code = main(["race", "a", "b", "--output-dir", "r"])
    assert (code, capsys.readouterr().err) == (
        2, "the sides drive unlike numbers of devices (A 2, B 4); give --ranks\n",
    )  # fmt: skip


def test_an_interrupted_race_says_that_it_can_go_on(here):
    program = here / "b/strata-stream"
    waits = (
        'trap "echo RESULT v=1 app=x status=INCOMPLETE exit=9 file=w; exit 9" TERM\n'
        "touch ready\nwhile :; do sleep 0.05 & wait; done\n"
    )
    program.write_text(program.read_text().replace("file=$2", f"{waits}file=$2"))
    words = ["race", "a", "b", "--pairs", "9", "--ranks", "1", "--output-dir", "r"]
    process = subprocess.Popen(
        [sys.executable, "-m", "strata_tools", *words], text=True, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
    )  # fmt: skip
    while not (here / "ready").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 9
    assert "pair 1, B: strata-stream was interrupted; above is the end of" in err
    assert len(manifest(here)["launches"]) == 1


def test_no_other_verb_hands_words_on(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "a", "b", "--", "c"])
    assert capsys.readouterr().err.endswith("strata compare: error: unknown argument --\n")


REAL_KEYS = (
    "problem.size=300011", "cases.kernel=[triad,copy]", "cases.variant=[span]",
    "cases.access=[default]",
    "run.min_time_s=0", "run.max_time_s=0.1", "run.warmup_s=0",
)  # fmt: skip


def real_race(binaries, folder, capsys, *words):
    """Output and records of a race of two pairs."""
    words += tuple(word for key in REAL_KEYS for word in ("--set", key))
    code = main(["race", str(binaries / "strata-stream"), str(binaries), "--pairs", "2",
                 "--app", "stream", "--ranks", "1", "--output-dir", str(folder),
                 *words])  # fmt: skip
    out, err = capsys.readouterr()
    assert code == 0, err
    assert out.endswith("2 compared, 2 with too few launches for a claim\n")
    told = json.loads((folder / "race.json").read_text())["launches"]
    return out, [json.loads((folder / one["file"]).read_text()) for one in told]


def test_real_executables_race(binaries, tmp_path, capsys):
    out, records = real_race(binaries, tmp_path / "r", capsys)
    assert (out.count("  2 pairs  "), len(records)) == (2, 4)
