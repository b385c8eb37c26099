"""BabelStream as a side of a race: what it prints is read, and held against what is alike."""

import json

import pytest
from conftest import write_program
from test_pairs import found, raced
from test_race import executables, here, manifest, race  # noqa: F401 - `here` is a fixture

from strata_tools.__main__ import main
from strata_tools.race import babelstream
from strata_tools.race.manifest import RaceError

TEXT = """BabelStream
Version: 5.0
Implementation: OpenMP
Running  Classic kernels 100 times in  Classic order
Number of elements: 33554432
Precision: double
Array size: 268.4 MB
Total size: 805.3 MB
Function    MB/s        Min (sec)   Max         Average
Copy        35210.123   0.01525     0.01733     0.01601
Mul         34310.500   0.01565     0.01733     0.01602
Add         36310.250   0.02218     0.02533     0.02301
Triad       36300.125   0.02218     0.02533     0.02301
Dot         41300.000   0.01300     0.01533     0.01401
"""
CSV = """Using CUDA device NVIDIA H100
function,num_times,n_elements,sizeof,max_MB_per_sec,min_runtime,max_runtime,avg_runtime
Copy,100,33554432,8,35210.1,0.01525,0.01733,0.01601
Mul,100,33554432,8,34310.5,0.01565,0.01733,0.01602
Add,100,33554432,8,36310.2,0.02218,0.02533,0.02301
Triad,100,33554432,8,36300.1,0.02218,0.02533,0.02301
Dot,100,33554432,8,41300,0.013,0.01533,0.01401
"""


def test_reads_the_table_for_people():
    figures = babelstream.read(TEXT)
    assert (figures.elements, figures.element_bytes) == (33554432, 8)
    assert figures.best == pytest.approx(
        {"Copy": 35210.123e6, "Mul": 34310.5e6, "Add": 36310.25e6, "Triad": 36300.125e6,
         "Dot": 41.3e9}
    )  # fmt: skip
    assert babelstream.read(TEXT.replace("double", "float")).element_bytes == 4


def test_reads_its_csv():
    figures = babelstream.read(CSV)
    assert (figures.elements, figures.element_bytes, len(figures.best)) == (33554432, 8, 5)
    assert figures.best["Triad"] == pytest.approx(36.3001e9)


@pytest.mark.parametrize(
    ("name", "scale"),
    [("max_mbytes_per_sec", 1e6), ("max_MiB_per_sec", 2**20), ("max_gibytes_per_sec", 2**30),
     ("max_GB_per_sec", 1e9), ("max_TiB_per_sec", 2**40)],
)  # fmt: skip
def test_units_are_those_of_the_heading(name, scale):
    figures = babelstream.read(CSV.replace("max_MB_per_sec", name))
    assert figures.best["Dot"] == pytest.approx(41300 * scale)


@pytest.mark.parametrize(
    "text",
    [
        "", "BabelStream\n", TEXT[:250], CSV[:130], CSV.replace("MB", "kB"),
        CSV.replace("n_elements", "n"), CSV.replace("Dot,100,33554432", "Dot,100,1024"),
        CSV.replace("41300", "nan%"), CSV.replace("41300", "0"), CSV.replace(",8,", ",x,"),
        TEXT.replace("Precision: double", "Precision: half"), TEXT.replace("MB/s", "MB"),
        TEXT.replace("Number of elements", "Elements"),
    ],
)  # fmt: skip
def test_refuses_other_texts(text):
    with pytest.raises(RaceError, match="printed no table of BabelStream's"):
        babelstream.read(text)


PEER = """
echo "$*" >>peer
[[ $1 == --version ]] && exit 1
size=$2 csv=''
for word; do [[ $word != --csv ]] || csv=1; done
if [[ -z $csv ]]; then
  printf 'BabelStream\\nVersion: 5.0\\nImplementation: OpenMP\\n' && exit
fi
width=8
[[ $3 != --float ]] || width=4
eval "${BEFORE_PEER:-}"
echo function,num_times,n_elements,sizeof,max_MB_per_sec,min_runtime,max_runtime,avg_runtime
echo "Triad,100,$size,$width,101000,1,1,1"
echo "Copy,100,$size,$width,100000,1,1,1"
"""


@pytest.fixture
def peer(here):  # noqa: F811
    """Beside the folders of executables a peer's program; `peer` has what it was handed."""
    write_program(here / "omp stream", PEER)
    return here


NAMED = "babelstream:'omp stream' -n 20 --device 0"


def test_a_peer_runs_on_our_size_and_is_compared_by_the_best(peer, capsys):
    code, out, err = race(capsys, "a", NAMED, "--pairs", 2)
    assert code == 0, err
    assert (peer / "peer").read_text().splitlines() == [
        "-n 20 --device 0 -s 1024 -n 2",
        *["-s 100000000 --csv -n 20 --device 0"] * 2,
    ]
    assert out.splitlines()[:2] == [
        "A = a: 2 records (alpha, Imaginary CPU × 1, commit 00000000)",
        f"B = {NAMED}: BabelStream 5.0 (OpenMP)",
    ]
    assert (
        "note: B tells the fastest of its times, checked by itself alone; launches of both "
        "sides are compared by their best\n" in out
    )
    assert out.endswith("2 compared, 2 with too few launches for a claim\n")
    record = json.loads((peer / "r" / manifest(peer)["launches"][0]["file"]).read_text())
    best = record["cases"][0]["foms"][0]["best"]
    triad = found(capsys, peer / "r")["triad"]
    assert triad["ratio"] == pytest.approx(101e9 / best)
    assert (triad["design"], triad["base"], triad["new"]) == ("pairs", best, 101e9)
    assert not list(peer.glob("r/B/**/*.json"))
    assert manifest(peer)["sides"]["B"]["peer"]["implementation"] == "OpenMP"


def test_a_peer_may_be_the_base(peer, capsys):
    assert race(capsys, NAMED, "a", "--pairs", 2)[0] == 0
    order = [(one["pair"], one["side"]) for one in manifest(peer)["launches"]]
    assert order == [(1, "B"), (1, "A"), (2, "A"), (2, "B")]
    assert found(capsys, peer / "r")["triad"]["base"] == 101e9


def test_a_peer_takes_our_precision(peer, capsys):
    document = json.loads((peer / "a/record.json").read_text())
    for case in document["cases"]:
        case["axes"]["scalar"] = "float"
    (peer / "a/record.json").write_text(json.dumps(document))
    assert race(capsys, "a", "babelstream:'omp stream'", "--pairs", 1)[0] == 0
    assert (peer / "peer").read_text().splitlines()[1] == "-s 100000000 --float --csv"


def test_a_peers_launch_that_fails_ends_the_race(peer, capsys, monkeypatch):
    monkeypatch.setenv("BEFORE_PEER", "echo FAILED validation of a >&2; exit 1")
    code, out, err = race(capsys, "a", NAMED, "--pairs", 2)
    assert (code, out) == (1, "")
    assert "FAILED validation of a\npair 1, B: BabelStream ended with exit code 1; " in err
    monkeypatch.setenv("BEFORE_PEER", "size=7")
    code, _, err = race(capsys, "a", NAMED, "--pairs", 2)
    assert code == 1
    assert "pair 1, B: BabelStream measured another size or precision; " in err
    monkeypatch.setenv("BEFORE_PEER", "exit")
    code, _, err = race(capsys, "a", NAMED, "--pairs", 2)
    assert code == 1
    assert "pair 1, B: BabelStream printed no table of BabelStream's; " in err


def test_a_peer_wants_one_size_and_precision(peer, capsys):
    document = json.loads((peer / "a/record.json").read_text())
    document["cases"][0]["axes"]["scalar"] = "float"
    (peer / "a/record.json").write_text(json.dumps(document))
    code, _, err = race(capsys, "a", NAMED, "--pairs", 1)
    assert code == 2
    assert err.splitlines()[-1].startswith("BabelStream has one size and precision, double or")


@pytest.mark.parametrize(
    ("given", "words", "message"),
    [
        (f"{NAMED} -s 10", [], "BabelStream is handed -s; it may be given -n, --numtimes, "
         "--device, -o, --only, each with a value: size and precision are those of the other "
         "side's cases"),
        ("babelstream:'omp stream' -n", [], "BabelStream is handed -n; it may be given"),
        ("babelstream:a/strata-stream", [], "{here}/a/strata-stream does not answer as "
         "BabelStream does (exit code "),
        (NAMED, ["--ranks", "2"], "B: BabelStream has one rank and is held against "
         "strata-stream: --ranks 1 --app stream"),
        ("babelstream:none", [], "B: none does not exist"),
    ],
)  # fmt: skip
def test_refuses_what_is_no_peer(peer, capsys, given, words, message):
    code = main(["race", "a", given, "--output-dir", "r", "--ranks", "1", *words])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith(message.format(here=peer))


def test_a_peers_output_that_was_altered_is_named(tmp_path, capsys):
    folder = raced(tmp_path / "r", 1)
    document = json.loads((folder / "race.json").read_text())
    document["sides"]["B"] = {
        "given": "x", "peer": {"name": "BabelStream", "version": "5", "implementation": "y"},
    }  # fmt: skip
    (folder / "race.json").write_text(json.dumps(document))
    assert main(["compare", str(folder)]) == 11
    err = capsys.readouterr().err
    assert (
        err == f"{folder}/{document['launches'][1]['file']} printed no table of BabelStream's\n"
    )
