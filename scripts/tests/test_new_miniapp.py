"""scripts/new_miniapp, in a small copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import check_layers


@pytest.fixture
def copy(root, tmp_path) -> Path:
    """What the script reads: itself, the template and common/; and one app."""
    for name in ("scripts/new_miniapp", "scripts/templates", "common"):
        source, target = root / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    (tmp_path / "miniapps" / "stream").mkdir(parents=True)
    return tmp_path


def new_miniapp(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(copy / "scripts/new_miniapp"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_makes_the_whole_template_under_the_name(copy):
    done = new_miniapp(copy, "heat_2d")
    assert (done.returncode, done.stderr) == (0, "")
    template, app = copy / "scripts/templates/miniapp", copy / "miniapps/heat_2d"
    made = sorted(path.relative_to(app) for path in app.rglob("*") if path.is_file())
    assert made == sorted(p.relative_to(template) for p in template.rglob("*") if p.is_file())
    assert done.stdout.splitlines()[: len(made)] == [f"miniapps/heat_2d/{p}" for p in made]
    for path in made:
        assert "appname" not in (app / path).read_text()
    assert (app / "CMakeLists.txt").read_text() == "strata_add_miniapp(heat_2d)\n"
    assert "app: heat_2d\n" in (app / "decks/smoke.yaml").read_text()
    assert "namespace strata::heat_2d {" in (app / "kernels.hpp").read_text()
    assert "strata-heat_2d" in (app / "README.md").read_text()


def cached(build: Path, *names: str) -> list[str]:
    """CMake's options that give another build folder the same values."""
    text = (build / "CMakeCache.txt").read_text()
    found = (re.search(rf"^{name}:\w+=(.+)$", text, re.MULTILINE) for name in names)
    return [f"-D{name}={match[1]}" for name, match in zip(names, found) if match]


def test_the_app_builds_and_passes_its_tests(copy, root, binaries):
    """On the core that is built already, unoptimised: some 15 s of work."""
    for name in ("CMakeLists.txt", "inputs"):
        source = root / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / name)
    new_miniapp(copy, "heat_2d")
    build, core = copy / "build", binaries.parent
    same = cached(
        core, "CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_GENERATOR",
        "CMAKE_MAKE_PROGRAM", "Kokkos_DIR", "MPI_CXX_COMPILER", "MPIEXEC_EXECUTABLE",
        "STRATA_BOUNDS_CHECK", "STRATA_NATIVE", "yaml-cpp_DIR", "benchmark_DIR", "GTest_DIR",
    )  # fmt: skip
    generator = next(option for option in same if "CMAKE_GENERATOR=" in option)
    same[same.index(generator)] = f"-G{generator.partition('=')[2]}"
    here = [f"-S{copy}", f"-B{build}", "-DSTRATA_TESTS=ON", f"-DSTRATA_CORE={core}",
            "-DSTRATA_UNITY_APPS=ON"]  # fmt: skip
    quick = "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"
    for command in (
        ["cmake", *here, *same, quick],
        ["cmake", "--build", build],
        ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    passed = re.findall(r"Test +#\d+: (\S+) .* Passed ", done.stdout)
    expected = ["unit", "style", "smoke", "fault", "deck"]
    assert set(expected) <= {name.partition(".")[0] for name in passed}
    assert {f"smoke.heat_2d.{ranks}" for ranks in (1, 2, 3)} <= set(passed)
    assert {f"fault.heat_2d.{kind}" for kind in ("skip", "value", "half")} <= set(passed)


def test_the_app_keeps_the_layers(copy):
    new_miniapp(copy, "heat")
    assert [p for p in check_layers.violations(copy) if "miniapps/" in p] == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Heat", "use lower-case letters, digits and single underscores, a letter first"),
        ("2d", "use lower-case letters, digits and single underscores, a letter first"),
        ("heat-2d", "use lower-case letters, digits and single underscores, a letter first"),
        ("heat_", "use lower-case letters, digits and single underscores, a letter first"),
        ("../heat", "use lower-case letters, digits and single underscores, a letter first"),
        ("stream", "miniapps/stream exists"),
        ("register", "it is a keyword of C++"),
        ("errno", "it is a macro of C++ compilers or headers"),
    ],
)
def test_refuses_a_name(copy, name, reason):
    done = new_miniapp(copy, name)
    assert done.returncode == 2
    assert done.stderr == f"new_miniapp: '{name}' cannot name an app: {reason}\n"
    assert [path.name for path in (copy / "miniapps").iterdir()] == ["stream"]


def test_refuses_every_keyword_that_the_compiler_has(copy):
    """Those of the C++20 standard, table 5, and its alternative tokens."""
    keywords = (
        "case catch char8_t char16_t char32_t consteval constinit co_await co_return co_yield "
        "dynamic_cast extern float signed switch thread_local try typeid wchar_t and_eq bitand "
        "bitor compl not_eq or_eq xor xor_eq int while"
    )
    for name in keywords.split():
        done = new_miniapp(copy, name)
        said = f"new_miniapp: '{name}' cannot name an app: it is a keyword of C++\n"
        assert (done.returncode, done.stderr) == (2, said)
    assert [path.name for path in (copy / "miniapps").iterdir()] == ["stream"]


@pytest.mark.parametrize("name", ["deck", "json", "span", "work"])
def test_refuses_a_name_that_the_core_uses(copy, name):
    done = new_miniapp(copy, name)
    assert done.returncode == 2
    assert re.fullmatch(
        rf"new_miniapp: '{name}' cannot name an app: "
        r"common/\w+/\w+\.hpp:\d+ has a meaning for it\n",
        done.stderr,
    )


def test_says_what_it_is_for(copy):
    done = new_miniapp(copy, "--help")
    assert done.returncode == 0
    assert "Starts a mini-app: miniapps/NAME" in done.stdout
