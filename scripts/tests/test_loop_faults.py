"""Builds the apps with a fault in the loops that launch kernels; their checks must see it.

What a launch leaves out, the loops that fill, spoil and check must not leave out as well. The
build is kept beside the tested one, so that only the first run takes its two minutes.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

ASKED = (
    "namespace strata {\n",
    """#include <cstdlib>
#include <string_view>
namespace strata {
inline bool loop_fault(char const* kind)
{
  char const* const asked = std::getenv("STRATA_TEST_LOOP_FAULT");
  return asked != nullptr && asked == std::string_view(kind);
}
""",
)

# What each source says, and what it says under its fault.
CHANGES = {
    "common/base/types.hpp": [ASKED],
    # The end of each run that is no whole step is left out.
    "common/array/launch/host_loop.hpp": [
        (
            "(walk_.run_length() + step - 1) / step; // per run",
            "(walk_.run_length() + (loop_fault(\"tail\") ? 0 : step - 1)) / step; // per run",
        )
    ],
    "common/array/launch/device_loop.hpp": [
        (
            "steps_((walk.run_length() + W - 1) / W)",
            "steps_(loop_fault(\"tail\") ? std::max<index_t>(1, walk.run_length() / W)"
            " : (walk.run_length() + W - 1) / W)",
        ),
        # The last block of work items is left out.
        (
            "    return unroll == 1 ? this->total_\n",
            "    if (loop_fault(\"block\"))\n      return (this->total_ - 1) / block * block;\n"
            "    return unroll == 1 ? this->total_\n",
        ),
    ],
    # The last elements' gradients are halved, which keeps all identities between them.
    "miniapps/hexgrad/element_trial.hpp": [
        (
            "/// Values, launch and checks of a case.\n",
            """template <class G>
struct HalveLast
{
  static constexpr char const* name() { return "strata::hexgrad::HalveLast"; }
  G gradients;
  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    index_t const e = gradients.extent(0) - 1 - i;
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        gradients(e, d, n) = gradients(e, d, n) / 2;
  }
};

/// Values, launch and checks of a case.
""",
        ),
        (
            "void step() override { launch_(fields_); }",
            """void step() override
  {
    launch_(fields_);
    auto const out = fields_.gradients.write();
    if (loop_fault("halved"))
      verify::for_every(std::min<index_t>(199, problem_.count),
                        HalveLast<std::remove_const_t<decltype(out)>>{out});
  }""",
        ),
    ],
}  # fmt: skip

# Of the cases that a smoke deck has, those whose launches a fault reaches.
REACHED = {
    (
        "stream",
        "tail",
    ): r"(triad|copy|scale|add|set|nstream)/span/(left|right)/double(/[34]d.*)?$",
    ("hexgrad", "tail"): r".*/span/",
    ("mgs", "tail"): r"(sequence|batched|fused|classical2?)/span/",
    ("matvec", "tail"): r"matvec/span/.*/row/|batched/span/.*/row/|symmetric/span/",
    (
        "stream",
        "block",
    ): r"(triad|copy|scale|add|set|nstream)/span/(left|right)/double(/[34]d.*)?$",
    ("hexgrad", "block"): r".*/span/",
    ("mgs", "block"): r"(sequence|batched|fused|classical2?)/span/",
    ("matvec", "block"): r"batched/span/.*/row/",
    ("hexgrad", "halved"): r"gradient/",
}
# Sparse matrices are counted by these launches before they are stored: none is left to check.
ONLY = {"matvec": ("--only", "matvec/(?!csr|csc)")}


def cached(build: Path, name: str) -> str:
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE).group(1)


def on_gpu(build: Path) -> bool:
    kokkos = Path(cached(build, "Kokkos_DIR")) / "KokkosConfigCommon.cmake"
    devices = re.search(r"(?i)set\(Kokkos_DEVICES (.*)\)", kokkos.read_text(encoding="utf-8"))
    return re.search("CUDA|HIP", devices.group(1)) is not None


def write_changed(file: Path, text: str) -> None:
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def faulty() -> Path:
    """The folder of the executables with the faults, built without optimisation."""
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs a configured build: run it by scripts/test")
    build = Path(os.environ["STRATA_BUILD"])
    folder = build / "loop-faults"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "C*.txt", "common", "miniapps"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if not (ROOT / name).is_file() or Path(name).suffix not in {
            ".txt", ".cmake", ".cpp", ".hpp", ".in"
        }:  # fmt: skip
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        for before, after in CHANGES.get(name, ()):
            assert text.count(before) == 1, f"{name} no longer says {before!r}"
            text = text.replace(before, after)
        write_changed(folder / "source" / name, text)
    for command in (
        ["cmake", "-S", folder / "source", "-B", folder / "build", "-G", "Ninja",
         f"-DCMAKE_CXX_COMPILER={cached(build, 'CMAKE_CXX_COMPILER')}",
         f"-DKokkos_DIR={cached(build, 'Kokkos_DIR')}", "-DSTRATA_TESTS=OFF",
         "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG",
         "-DCMAKE_UNITY_BUILD=ON", "-DSTRATA_UNITY_APPS=ON"],
        ["cmake", "--build", folder / "build", "--target",
         *{f"strata-{app}" for app, _ in REACHED}, "strata-contact"],
    ):  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return folder / "build" / "bin"


def run(faulty: Path, app: str, fault: str, output: Path):
    """The run's end, and its cases by whether all of their checks are good."""
    done = subprocess.run(
        [faulty / f"strata-{app}", "--deck", "decks/smoke.yaml", "--output-dir", output,
         *ONLY.get(app, ())],
        cwd=ROOT / "miniapps" / app, env=os.environ | {"STRATA_TEST_LOOP_FAULT": fault},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    cases: dict[str, bool] = {}
    for case, status in re.findall(r"^CHECK .* case=(\S+) .* status=(\w+)$", done.stdout, re.M):
        cases[case] = cases.get(case, True) and status == "PASS"
    return done, cases


@pytest.mark.parametrize("app", sorted({app for app, _ in REACHED}))
def test_without_a_fault_all_pass(faulty, tmp_path, app):
    done, cases = run(faulty, app, "", tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(cases.values())


@pytest.mark.parametrize(("app", "fault"), REACHED)
def test_every_case_that_a_fault_reaches_fails(faulty, binaries, tmp_path, app, fault):
    if fault == "block" and not on_gpu(binaries.parent):
        pytest.skip("a host's loop has no blocks")
    done, cases = run(faulty, app, fault, tmp_path)
    assert done.returncode == 6, done.stderr
    reached = {
        case: good for case, good in cases.items() if re.match(REACHED[app, fault], case)
    }
    assert reached
    assert not any(reached.values()), [case for case, good in reached.items() if good]


@pytest.mark.parametrize("fault", ["", "tail", "block"])
def test_contact_makes_no_rows_by_launches_with_a_fault(faulty, binaries, tmp_path, fault):
    """Its rows hold offsets that launches write: it ends before any kernel follows them."""
    if fault == "block" and not on_gpu(binaries.parent):
        pytest.skip("a host's loop has no blocks")
    done, cases = run(faulty, "contact", fault, tmp_path)
    if fault == "":
        assert done.returncode == 0, done.stderr
        assert all(cases.values())
    else:
        assert done.returncode == 6, done.stderr
        assert "rows of contacts cannot be made by them" in done.stderr
        assert not cases
        assert "FOM" not in done.stdout
