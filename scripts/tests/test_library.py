"""The array library as others get it: installed, with Kokkos alone; its README as it stands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(outsider LANGUAGES CXX)
find_package(strata REQUIRED)
add_executable(outsider main.cpp)
target_link_libraries(outsider Strata::array)
"""

# In every ```cpp block: a whole program has a main, a block in braces is a test of its own, all
# else is declarations that later blocks use.
BLOCK = re.compile(r"```cpp\n(.*?)```", re.DOTALL)


def blocks(readme: Path) -> list[str]:
    return BLOCK.findall(readme.read_text(encoding="utf-8"))


def run(*command: str | Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def kokkos() -> list[str]:
    if "STRATA_KOKKOS_DIR" not in os.environ:
        pytest.skip("needs Kokkos: run it by scripts/test")
    return [
        f"-DKokkos_DIR={os.environ['STRATA_KOKKOS_DIR']}",
        f"-DCMAKE_CXX_COMPILER={os.environ['STRATA_CXX']}",
    ]


@pytest.fixture(scope="module")
def installed(kokkos: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Configured with nothing but Kokkos to be found, and installed."""
    root = Path(__file__).resolve().parents[2]
    build = tmp_path_factory.mktemp("build")
    prefix = tmp_path_factory.mktemp("prefix")
    absent = [
        f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("MPI", "yaml-cpp", "benchmark")
    ]
    run("cmake", "-S", root, "-B", build, "-DSTRATA_APPS=OFF", *absent, *kokkos)
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


def build_and_run(folder: Path, source: str, installed: Path, kokkos: list[str]) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
    (folder / "main.cpp").write_text(source, encoding="utf-8")
    found = f"-Dstrata_DIR={config(installed)}"
    run("cmake", "-S", folder, "-B", folder / "build", found, *kokkos)
    run("cmake", "--build", folder / "build")
    return run(folder / "build" / "outsider")


def config(installed: Path) -> Path:
    (found,) = installed.glob("lib*/cmake/strata/strata-config.cmake")
    return found.parent


def test_installs_headers_and_nothing_else(installed: Path):
    files = {path.relative_to(installed) for path in installed.rglob("*") if path.is_file()}
    assert Path("include/strata/array.hpp") in files
    assert Path("include/strata/ragged.hpp") in files
    assert Path("include/strata/sparse.hpp") in files
    others = {path for path in files if path.suffix not in (".hpp", ".cmake")}
    assert not others
    assert not [path for path in files if "tests" in path.parts]


def test_passes_on_no_flags_of_ours(installed: Path):
    targets = (config(installed) / "strata-targets.cmake").read_text(encoding="utf-8")
    assert "Kokkos::kokkos" in targets
    assert "STRATA_BOUNDS_CHECK" in targets  # it changes the size of a span
    for ours in ("-W", "-march", "mpi.h", "yaml", "benchmark"):
        assert ours not in targets


def test_readme_is_a_program(root: Path, installed: Path, kokkos: list[str], tmp_path: Path):
    found = blocks(root / "common" / "array" / "README.md")
    (whole,) = [block for block in found if "int main" in block]
    examples = [block for block in found if block.startswith("{\n")]
    declarations = [block for block in found if block != whole and block not in examples]
    assert len(examples) >= 7
    functions = "".join(f"void example_{n}()\n{text}" for n, text in enumerate(examples))
    calls = "".join(f"  example_{n}();\n" for n in range(len(examples)))
    includes = "".join(
        f"#include <{name}>\n"
        for name in ("strata/ragged.hpp", "strata/sparse.hpp", "string", "stdexcept", "vector")
    )
    start = re.search(r".*ScopeGuard.*\n", whole)
    assert start
    before = includes + "".join(declarations) + functions
    program = whole.replace("int main", before + "int main")
    program = program.replace(start.group(), start.group() + calls)
    build_and_run(tmp_path, program, installed, kokkos)


def test_misuse_does_not_compile(installed: Path, kokkos: list[str], tmp_path: Path):
    use = "#include <strata/array.hpp>\nusing namespace strata;\nint main() {{ {} }}\n"
    build_and_run(tmp_path, use.format("Span<int, dextents<1>> a;"), installed, kokkos)
    rule = "TheAccessRuleDoesNotConvert"
    two = "Array<int, dextents<2>, LayoutRight>"
    refused = {
        "Span<int const, dextents<1>> a; Span<int, dextents<1>> b = a;": "ItWouldDropConst",
        "Span<int, dextents<1>> a; Span<int, dextents<2>> b = a;": "AnotherNumberOfIndices",
        "Span<int, Extents<int, dyn, 10>> a;"
        "Span<int, Extents<int, dyn, 8>> b = a;": "TheirStaticSizesDiffer",
        "Span<int, dextents<2>, LayoutLeft> a;"
        "Span<int, dextents<2>, LayoutRight> b = a;": "TheirLayoutsDiffer",
        "Span<int, dextents<1>, LayoutRight, AccessAtomic> a;"
        "Span<int, dextents<1>, LayoutRight> b = a;": rule,
        "Span<int, dextents<1>, LayoutRight> a;"
        "Span<int, dextents<1>, LayoutRight, AccessRestrict> b = a;": rule,
        "Span<int, dextents<1>> a; Span<long, dextents<1>> b = a;": "OfAnotherType",
        "Span<int, dextents<1>, LayoutRight, AccessOnHost<AccessDefault>> a;"
        "Span<int, dextents<1>, LayoutRight> b = a;": "ItIsInMemoryThatDeviceCodeCannotReach",
        f"{two} a; Array<int, dextents<2>, LayoutLeft> b = a;": "TheirLayoutsDiffer",
        f"{two} a; Array<int, dextents<1>> b = a;": "AnotherNumberOfIndices",
        f"{two} a; Array<long, dextents<2>, LayoutRight> b = a;": "OfAnotherType",
        f"{two} a; Span<int, dextents<2>, LayoutRight> b = a;": "TakesASpanFromWrite",
        f"{two} a; subspan(a, 1, full_extent);": "write subspan(a.write(), ...)",
        "Array<int const, dextents<1>> a;": "an array owns elements that are not const",
        'Span<int, dextents<1>> a; subspan(a, "2:4");': "a slice of a subspan is",
        "Span<int, dextents<2>> a; a(1);": "rank",
        'reduce("sum", 10, [](int, double) {});': "the last parameter of a reduction's lambda",
        "struct Flat {}; Span<int, dextents<1>, Flat> a;": "mapping",
    }
    for text, reason in refused.items():
        (tmp_path / "main.cpp").write_text(use.format(text), encoding="utf-8")
        done = subprocess.run(
            ["cmake", "--build", str(tmp_path / "build")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0, f"compiles: {text}"
        assert reason in done.stdout + done.stderr, f"{text}\n{done.stdout}"


def test_serves_the_standards_mdspan(installed: Path, kokkos: list[str], tmp_path: Path):
    """Our layouts and accessors as policies of std::mdspan, in a compiler that has it."""
    compiler = shutil.which("clang++-19")
    if not compiler or not Path("/usr/lib/llvm-19/include/c++/v1/mdspan").exists():
        pytest.skip("needs clang++-19 with libc++-19-dev: GCC 12 has no <mdspan>")
    include = Path(os.environ["STRATA_KOKKOS_DIR"]).parents[2] / "include"
    program = Path(__file__).parents[2] / "common" / "array" / "tests" / "serves_mdspan.cpp"
    flags = ["-std=c++23", "-stdlib=libc++", "-O1", "-fopenmp"]
    headers = ["-I", installed / "include" / "strata", "-isystem", include]
    run(compiler, *flags, *headers, program, "-o", tmp_path / "serves")
    assert run(tmp_path / "serves") == "0 failures\n"
