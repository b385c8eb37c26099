"""The checks of lint find what they are there to find."""

import subprocess
from pathlib import Path

import pytest

import check_files
import check_layers

OUT = "is out of bounds here;"
APP_MAY = (
    "miniapps/a may include base, array, deck, measure/work.hpp, verify, "
    "runtime/share.hpp, runtime/mpi/exchange.hpp, runtime/node/host_library.hpp, "
    "driver/axis.hpp, driver/miniapp.hpp"
)


def plant(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def tree(tmp_path) -> Path:
    """A small tree that keeps every rule."""
    files = {
        "common/base/kokkos.hpp": "#include <Kokkos_Core.hpp>\n",
        "common/base/text.hpp": "#include <string>\n",
        "common/array/span/span.hpp": '#include "base/kokkos.hpp"\n'
        '#include "array/layout/layout.hpp"\n',
        "common/array/layout/layout.hpp": "",
        "common/array/above.hpp": "",
        "common/deck/document.cpp": '#include "base/text.hpp"\n#include <yaml-cpp/yaml.h>\n',
        "common/runtime/share.hpp": "",
        "common/runtime/session.cpp": "#include <mpi.h>\n",
        "common/driver/program.hpp": '#include "runtime/share.hpp"\n',
        "common/testing/counted.hpp": "",
        "common/array/span/tests/span_test.cpp": '#include "array/span/span.hpp"\n'
        '#include "testing/counted.hpp"\n#include <gtest/gtest.h>\n',
        "miniapps/a/main.cpp": '#include "kernels.hpp"\n#include "driver/program.hpp"\n',
        "miniapps/a/kernels.hpp": '#include "array/span/span.hpp"\n',
        "miniapps/a/tests/kernels_test.cpp": '#include "kernels.hpp"\n',
        "miniapps/b/kernels.hpp": "",
    }
    return plant(tmp_path, **files)


def test_a_tree_that_keeps_the_rules(tree):
    assert check_layers.violations(tree) == []


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        (
            "common/base/kokkos.hpp",
            '#include "runtime/share.hpp"',
            f'"runtime/share.hpp" {OUT} common/base may include nothing else of ours',
        ),
        (
            "common/array/layout/layout.hpp",
            '#include "testing/counted.hpp"',
            f'"testing/counted.hpp" {OUT} common/array may include base/bit_word.hpp, '
            "base/cuda/early.hpp, base/kokkos.hpp, base/lanes.hpp, base/types.hpp",
        ),
        (
            "common/array/layout/layout.hpp",
            '#include "array/span/span.hpp"',
            '"array/span/span.hpp" lies in span; of the rooms of common/array, layout may '
            "include no other",
        ),
        (
            "common/array/layout/layout.hpp",
            '#include "array/above.hpp"',
            '"array/above.hpp" lies above the rooms; of the rooms of common/array, layout may '
            "include no other",
        ),
        (
            "common/testing/counted.hpp",
            '#include "driver/program.hpp"',
            f'"driver/program.hpp" {OUT} common/testing may include base, array, measure, '
            "driver/miniapp.hpp",
        ),
        (
            "common/driver/program.hpp",
            "#include <mpi.h>",
            "only common/runtime/*.cpp and common/runtime/mpi/mpi_comm.hpp and "
            "common/testing/main.cpp may include <mpi.h>",
        ),
        (
            "common/array/layout/layout.hpp",
            "#include <Kokkos_Core.hpp>",
            "only common/base/kokkos.hpp may include <Kokkos_Core.hpp>",
        ),
        (
            "miniapps/a/kernels.hpp",
            '#include "../b/kernels.hpp"',
            f'"../b/kernels.hpp" {OUT} {APP_MAY}',
        ),
        (
            "miniapps/a/kernels.hpp",
            '#include "driver/program.hpp"',
            f'"driver/program.hpp" {OUT} {APP_MAY}',
        ),
        (
            "miniapps/a/kernels.hpp",
            '#include "kernel.hpp"',
            'no file "kernel.hpp" in miniapps/a or common',
        ),
    ],
)
def test_names_a_planted_violation(tree, file, line, message):
    with (tree / file).open("a") as stream:
        stream.write(line + "\n")
    number = len((tree / file).read_text().splitlines())
    assert check_layers.violations(tree) == [f"{file}:{number}: {message}"]


def test_decks_reach_no_kokkos_by_a_detour(tree):
    plant(tree, **{"common/base/text.hpp": '#include "kokkos.hpp"\n'})
    assert check_layers.violations(tree) == [
        "common/deck/document.cpp:1: brings in <Kokkos_Core.hpp>, "
        "which common/deck must not need"
    ]


def test_a_folder_without_a_row(tree):
    plant(tree, **{"common/extra/x.hpp": ""})
    assert check_layers.violations(tree) == [
        "common/extra/x.hpp:1: common/extra has no row in check_layers.py"
    ]


def test_a_room_without_a_row(tree):
    plant(tree, **{"common/array/attic/x.hpp": '#include "array/layout/layout.hpp"\n'})
    assert check_layers.violations(tree) == [
        'common/array/attic/x.hpp:1: "array/layout/layout.hpp" common/array/attic has no row '
        "in check_layers.py"
    ]


def test_files_that_break_a_rule(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    folder = "/" + "home"
    plant(
        tmp_path,
        **{
            "good.txt": "a\n",
            "empty.txt": "",
            "long.cpp": "\n" * 401,
            "long.hpp": "\n" * 301,
            "short.hpp": "\n" * 300,
            "results/x/long.json": "\n" * 401,
            "open.txt": "a\nb",
            "mine.txt": f"see\n{folder}/me/x and $HOME{folder}/x\n",
            "ignored.txt": f"{folder}/me\n",
            ".gitignore": "ignored.txt\n",
        },
    )
    (tmp_path / "bytes.txt").write_bytes(b"\xff\n")
    assert check_files.violations(tmp_path) == [
        "bytes.txt:1: is not UTF-8 text",
        "long.cpp:1: 401 lines; split it, or say why not in LONG_FILES",
        "long.hpp:1: 301 lines; split it, or say why not in LONG_FILES",
        f"mine.txt:2: {folder}/m... is a path of one machine",
        "open.txt:2: no newline at the end",
    ]


def test_a_kernel_first_waits_for_the_launch_before_it():
    kernel = "template <class T>\n__global__ void __launch_bounds__(1)\n    f(T const x)\n{\n"
    waits = "  nvidia::await_last_launch();\n  x();\n}\n"
    for good in (waits, "#if defined(X)\n" + waits, "}\n"):
        assert check_files.early_kernels(Path("a.hpp"), kernel + good) == []
    for bad in ("  x();\n" + waits, "  int const i = *x;\n}\n"):
        assert check_files.early_kernels(Path("a.hpp"), kernel + bad) == [
            "a.hpp:4: a kernel begins with nvidia::await_last_launch()"
        ]
    assert check_files.early_kernels(Path("a.hpp"), "__global__ void f(int);\n") == []


def test_a_folder_has_no_more_sources_than_can_be_read_at_a_glance():
    full = [Path(f"miniapps/a/{number}.cpp") for number in range(check_files.MAX_SOURCES)]
    assert (
        check_files.crowded([*full, Path("miniapps/a/notes.md"), Path("miniapps/b.hpp")]) == []
    )
    for one in ("one.hpp", "one.cu"):
        assert check_files.crowded([*full, Path("miniapps/a") / one]) == [
            "miniapps/a:1: 21 sources; 20 at most"
        ]
