"""`strata report`: what its sections find in records that were made to have it."""

import csv
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
import synthetic
from conftest import ROOT

from strata_tools.__main__ import main
from strata_tools.records import gather
from strata_tools.report import (
    crossover,
    layouts,
    portability,
    provenance,
    scaling,
    strips,
    sweeps,
)
from strata_tools.report.book import book


def read(folder):
    return book(*gather([folder]))


def report(capsys, *words):
    code = main(["report", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def launch(number=0, *, cases=None, **about):
    """A record of these cases, keywords of synthetic.case each."""
    source = np.random.default_rng(number)
    made = [synthetic.case(source=source, **case) for case in cases or [{"kernel": "triad"}]]
    return synthetic.record(number=number, cases=made, **about)


def test_writes_its_files_and_names_them(tmp_path, capsys):
    synthetic.write(tmp_path / "in", synthetic.fleet(8))
    code, out, err = report(capsys, tmp_path / "in", "--output", tmp_path / "out")
    names = [
        "report.html", "report.md", "report.json", "comparisons.csv", "figures.csv",
        "p3-higher.csv",
    ]  # fmt: skip
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(tmp_path / "out" / name) for name in names]


def test_the_same_records_make_the_same_page(tmp_path, capsys):
    synthetic.write(tmp_path / "in", synthetic.fleet(8))
    pages = []
    for name in ("a", "b"):
        report(capsys, tmp_path / "in", "--output", tmp_path / name)
        pages.append((tmp_path / name / "report.html").read_bytes())
    assert pages[0] == pages[1]


def test_names_what_it_leaves_out_and_reports_the_rest(tmp_path, capsys):
    folder = tmp_path / "in"
    first, second, _ = synthetic.write(folder, [launch(n) for n in range(3)])
    first.write_text("{")
    broken = json.loads(second.read_text())
    broken["validity"] = {"valid": False, "official": False, "reasons": ["verification"]}
    second.write_text(json.dumps(broken))
    code, _, err = report(capsys, folder, "--output", tmp_path)
    assert (code, err.splitlines()) == (
        10,
        [
            f"{first}: is cut off: it ends within the JSON; skipped",
            f"{second}: not valid: verification; left out",
        ],
    )
    page = (tmp_path / "report.md").read_text()
    assert "**2 files left out: see why**" in page
    assert "1 record from 1 system are behind the figures below" in page


def test_nothing_to_report_on(tmp_path, capsys):
    code, out, err = report(capsys, tmp_path)
    assert (code, out, err) == (11, "", f"no record to report on in {tmp_path}\n")


def test_a_folder_that_cannot_be_written(tmp_path, capsys):
    synthetic.write(tmp_path / "in", [launch()])
    (tmp_path / "out").write_text("a file")
    code, _, err = report(capsys, tmp_path / "in", "--output", tmp_path / "out")
    remedy = "name a folder that can be written and has room by --output"
    assert (code, err) == (8, f"{tmp_path}/out: File exists; {remedy}\n")


def test_every_figure_links_to_its_provenance(tmp_path, capsys):
    synthetic.write(tmp_path / "in", synthetic.fleet(8))
    report(capsys, tmp_path / "in", "--output", tmp_path)
    page = (tmp_path / "report.html").read_text()
    links = {part.split('"')[0] for part in page.split('<a href="#s')[1:]}
    series = {link for link in links if link.isdigit()}
    assert series == {"1", "2", "3", "4"}
    assert all(f'<details id="s{number}">' in page for number in series)


def test_names_in_records_are_text_and_nothing_else(tmp_path, capsys):
    name = "<script>alert('$x^2$ $')</script>|%"
    synthetic.write(tmp_path / "in", [launch(n, system=name, host=name) for n in range(3)])
    assert report(capsys, tmp_path / "in", "--output", tmp_path)[0] == 0
    page = (tmp_path / "report.html").read_text()
    assert "alert(&#39;$x^2$" in page
    assert "<script>alert" not in page


def test_a_figure_of_zero_is_none(tmp_path, capsys):
    record = launch(cases=[{"kernel": "triad"}, {"kernel": "copy"}])
    for fom in record["cases"][1]["foms"]:
        fom["value"] = 0
    record["placement"] = []
    synthetic.write(tmp_path / "in", [record])
    assert report(capsys, tmp_path / "in", "--output", tmp_path)[0] == 0
    assert ">its figure is 0</td>" in (tmp_path / "report.html").read_text()


def test_the_banner_names_the_slow_node_and_no_other(tmp_path):
    synthetic.write(tmp_path, synthetic.fleet(400))
    warnings = strips.warnings(strips.strips(read(tmp_path)))
    assert len(warnings) == 1
    assert warnings[0].startswith("stands out on alpha: n013, ")


def test_four_nodes_are_too_few_to_stand_out_of(tmp_path):
    slow = [1.5, 1, 1, 1]
    synthetic.write(
        tmp_path,
        [
            launch(n, host=f"n{n}", cases=[{"kernel": "triad", "slow": slow[n]}])
            for n in range(4)
        ],
    )
    assert strips.warnings(strips.strips(read(tmp_path))) == []


def test_the_wrong_layout_costs_what_it_costs(tmp_path):
    cases = [
        {"kernel": "triad", "layout": layout, "slow": slow, "noise": 0}
        for layout, slow in (("left", 1), ("right", 4), ("tiled8", 1.01))
    ]
    synthetic.write(tmp_path, [launch(cases=cases)])
    (table,) = layouts.section(read(tmp_path)).blocks
    assert table.headings == ["problem", "left", "right", "tiled8"]
    assert [cell.text for cell in table.rows[0]] == ["stream: triad", "1.00", "4.00", "1.01"]


def test_a_dear_line_keeps_its_problems_others_beside_it(tmp_path):
    cases = [
        {"kernel": kernel, "layout": layout, "slow": slow, "noise": 0, "access": access}
        for kernel, access, layout, slow in (
            ("triad", "crossed", "left", 6), ("triad", "crossed", "right", 7),
            ("triad", "plain", "left", 1), ("triad", "plain", "right", 1.02),
            ("copy", "plain", "left", 1), ("copy", "plain", "right", 1.01),
        )
    ]  # fmt: skip
    synthetic.write(tmp_path, [launch(cases=cases)])
    table, fold = layouts.section(read(tmp_path)).blocks
    assert [row[0].text for row in table.rows] == [
        "stream: triad", "stream: triad crossed",
    ]  # fmt: skip
    assert fold.summary == "alpha: 1 line where no order costs more than 5 %"


def test_devices_of_one_system_are_places_of_their_own(tmp_path, capsys):
    other = launch(1, cases=[{"kernel": "triad", "slow": 0.1}])
    for place in other["placement"]:
        place.update(device="Imaginary GPU", device_id=0)
    synthetic.write(tmp_path / "in", [launch(), other, launch(2, ranks=2)])
    report(capsys, tmp_path / "in", "--output", tmp_path)
    text = (tmp_path / "report.md").read_text()
    names = "Imaginary CPU, 1 rank", "Imaginary CPU, 2 ranks", "Imaginary GPU"
    assert all(
        f" rows 100\u202f000\u202f000) | alpha, {name} (official, " in text for name in names
    )


def test_says_in_words_why_a_launch_is_not_official(tmp_path, capsys):
    record = launch(tier="quick")
    record["validity"]["reasons"] = ["tier", "not_converged"]
    synthetic.write(tmp_path / "in", [record])
    report(capsys, tmp_path / "in", "--output", tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert "1 launch, not official: tier below official, not converged</summary>" in page


def ladder(tmp_path, elements, slow):
    records = [
        launch(
            n,
            ranks=2**n,
            cases=[
                {"kernel": "triad", "elements": elements(2**n), "slow": slow(2**n), "noise": 0}
            ],
        )
        for n in range(3)
    ]
    synthetic.write(tmp_path, records)
    (found,) = scaling.ladders(read(tmp_path))
    return found.kind, [round(found.efficiency(n), 3) for n in (1, 2, 4)]


def test_strong_scaling(tmp_path):
    kind, efficiencies = ladder(
        tmp_path, lambda n: 4 * 10**7, lambda n: 1 / (n - 0.1 * (n - 1))
    )
    assert (kind, efficiencies) == ("strong", [1, 0.95, 0.925])


def test_weak_scaling(tmp_path):
    kind, efficiencies = ladder(
        tmp_path, lambda n: 10**7 * n, lambda n: (1 + 0.1 * (n > 1)) / n
    )
    assert (kind, efficiencies) == ("weak", [1, 0.909, 0.909])


def test_crossovers_say_what_is_the_fastest_where(tmp_path):
    """Two variants over sizes; each of them is the faster one at one end."""
    records = []
    for number, size in enumerate((10, 100, 1000, 10_000)):
        cases = [
            {"kernel": "triad", "variant": variant, "elements": size * 10**4, "slow": slow}
            for variant, slow in (("span", 1 + 30 / size), ("native", 2))
        ]
        records.append(launch(number, size=size * 10**4, cases=cases))
    synthetic.write(tmp_path, records)
    (sweep,) = sweeps.sweeps(read(tmp_path))
    assert sweep.fastest() == [(1e5, 1e5, "native"), (1e6, 1e8, "span")]


def test_launches_of_other_labels_are_no_series(tmp_path):
    records = [launch(number) for number in range(4)]
    for record, label in zip(records, ("", "new firmware", "new firmware", "")):
        record["run"]["user_label"] = label
    synthetic.write(tmp_path, records)
    found = read(tmp_path)
    labels = [{one.user_label for one in series.records} for series in found.series]
    assert labels == [{""}, {"new firmware"}]
    folds = provenance.section(found).blocks[-2:]
    told = ["new firmware" in fold.summary for fold in folds]
    assert told == [False, True]


@pytest.mark.parametrize("what", ["commit", "label", "build"])
def test_sweeps_of_one_title_are_told_apart(tmp_path, what):
    sizes = [10**n for n in range(5, 9)]
    records = [
        launch(number, size=size, cases=[{"kernel": "triad", "elements": size}])
        for number, size in enumerate(2 * sizes)
    ]
    for record in records[len(sizes) :]:
        if what == "commit":
            record["suite"]["git"] = "b" * 40
        elif what == "label":
            record["run"]["user_label"] = "new firmware"
        else:
            record["build"]["kokkos"] = "9.9.9"
    synthetic.write(tmp_path, records)
    titles = [sweep.title for sweep in sweeps.sweeps(read(tmp_path))]
    assert len(set(titles)) == 2
    end = {"commit": "commit bbbbbbbb", "label": "new firmware", "build": "build 2"}
    assert titles[1].endswith(end[what])


def contact(times, words="random", number=0):
    """A record of structures: name to seconds of a change and of a reading pass."""
    cases = []
    for kernel, index in (("build", 0), ("statistics", 1)):
        for name, pair in times.items():
            source = np.random.default_rng(number)
            case = synthetic.case("triad", slow=pair[index], noise=0, source=source)
            case["axes"] = {"kernel": kernel, "variant": name}
            case["label"] = f"{kernel}/{name}"
            case["problem"]["deck"] = words
            cases.append(case)
    record = synthetic.record(number=number, cases=cases)
    effective = json.loads(record["deck"]["effective"])
    record["deck"]["effective"] = json.dumps({**effective, "problem": {"deck": words}})
    return record


def test_the_right_structure_depends_on_how_often_it_is_read(tmp_path):
    synthetic.write(tmp_path, [contact({"cheap": (1, 4), "fast": (7, 1), "poor": (9, 2)})])
    (found,) = crossover.crossovers(read(tmp_path))
    assert [(low, round(high, 6), name) for low, high, name in found.fastest()] == [
        (0.0, 2.0, "cheap"),
        (pytest.approx(2), float("inf"), "fast"),
    ]


def test_scenes_that_decks_name_are_problems_of_their_own(tmp_path):
    structures = {"a": (1, 1), "b": (2, 2)}
    scenes = ("random", "lattice")
    synthetic.write(tmp_path, [contact(structures, s, n) for n, s in enumerate(scenes)])
    names = [row.name for row in read(tmp_path).rows]
    assert names == [
        "build random", "statistics random", "build lattice", "statistics lattice",
    ]  # fmt: skip


def test_pictures_are_charts_of_the_page(tmp_path, capsys):
    synthetic.write(tmp_path / "in", [launch()])
    good, bad = tmp_path / "strips-alpha.png", tmp_path / "none.png"
    words = [tmp_path / "in", "--output", tmp_path, "--picture", good]
    assert report(capsys, *words)[0] == 0
    assert good.read_bytes()[:4] == b"\x89PNG"
    code, _, err = report(capsys, *words, "--picture", bad)
    known = "roofline-imaginary-cpu, strips-alpha"
    assert (code, err) == (2, f"{bad}: no chart of that name; as .png there are: {known}\n")


def test_portability_is_the_harmonic_mean_and_zero_where_a_system_fails(tmp_path):
    def system(number, name, slow):
        cases = [
            {"kernel": "triad", "variant": v, "slow": s, "noise": 0} for v, s in slow.items()
        ]
        return launch(number, system=name, device=f"CPU of {name}", cases=cases)

    second = system(2, "beta", {"span": 2, "native": 1, "view": 4})
    failed = second["cases"][2]
    failed.update(status="failed", reason="too far off", foms=[])
    records = [system(1, "alpha", {"span": 1, "native": 1, "view": 2, "vendor": 3}), second]
    synthetic.write(tmp_path, records)
    found = {one.variant: one.portability for one in portability.standings(read(tmp_path))}
    assert found["native"] == pytest.approx(1)
    assert found["span"] == pytest.approx(2 / (1 + 2))
    assert found["view"] == 0
    assert found["vendor"] is None  # was not run on beta: no failure, and no mean


def test_the_csv_has_a_row_for_each_figure(tmp_path, capsys):
    synthetic.write(tmp_path / "in", [launch(), launch(1, tier="smoke")])
    report(capsys, tmp_path / "in", "--output", tmp_path)
    with (tmp_path / "figures.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["tier"], row["scope"]) for row in rows] == [
        ("official", "job"), ("official", "device"), ("smoke", "job"), ("smoke", "device"),
    ]  # fmt: skip
    assert (rows[0]["axis.kernel"], rows[0]["unit"]) == ("triad", "B/s")


def test_energy_is_given_where_it_was_measured(tmp_path, capsys):
    records = [launch(number) for number in range(3)]
    for record, joules in zip(records, (450.0, 550.0)):
        record["energy"] = {
            "source": "RAPL", "scope": "package", "joules": joules, "seconds": 5.0,
        }  # fmt: skip
        del record["energy_reason"]
    synthetic.write(tmp_path / "in", records)
    report(capsys, tmp_path / "in", "--output", tmp_path)
    page = (tmp_path / "report.md").read_text()
    assert "| alpha | stream (d.yaml) | RAPL | package | 500 J | 5.00 s | 100 W |" in page
    assert "Not available for 1 record: " in page


def test_many_records_take_little_memory(tmp_path):
    """All of them with STRATA_MANY_RECORDS=10000, which takes half a minute to write them and
    another to report on them; 300 otherwise, since CI has not that time."""
    count = int(os.environ.get("STRATA_MANY_RECORDS", "300"))
    synthetic.write(tmp_path / "in", synthetic.fleet(count))
    start = time.monotonic()
    command = [sys.executable, "-m", "strata_tools", "report", tmp_path / "in"]
    done = subprocess.run(
        [*command, "--output", tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        check=False,
    )
    print(f"{count} records: {time.monotonic() - start:.1f} s")
    assert done.returncode == 0
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2e6  # kB
    assert f"{count}" in (tmp_path / "report.md").read_text().replace("\u202f", "")
