"""Faults in the sources of launches, kernels and messages, and a build that has them.

The build takes changed copies of the sources. Every fault sleeps until the environment variable
STRATA_TEST_SOURCE_FAULT names it, so that one build has them all; it is kept beside the tested
one, and only the first takes its minutes. A change whose place has moved is an error.
"""

from __future__ import annotations

import fcntl
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "STRATA_TEST_SOURCE_FAULT"

ASKED = (
    "namespace strata {\n",
    """#include <cstdlib>
#include <string_view>
namespace strata {
/// Never in the code of a GPU, which has no environment.
KOKKOS_FUNCTION inline bool source_fault([[maybe_unused]] char const* kind)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return false;
#else
  char const* const asked = std::getenv("STRATA_TEST_SOURCE_FAULT");
  return asked != nullptr && asked == std::string_view(kind);
#endif
}
""",
)

# What each source says, and what it says under its fault.
CHANGES = {
    "common/base/kokkos.hpp": [ASKED],
    # The end of each run is left out: on a host what is no whole step, on a GPU, where a step
    # may be one element, the last step.
    "common/array/launch/host_loop.hpp": [
        (
            "(walk_.run_length() + step - 1) / step; // per run",
            "(walk_.run_length() + (source_fault(\"tail\") ? 0 : step - 1)) / step; // per run",
        )
    ],
    "common/array/launch/device_loop.hpp": [
        (
            "steps_((walk.run_length() + W - 1) / W)",
            "steps_(source_fault(\"tail\") ? std::max<index_t>(1, (walk.run_length() - 1) / W)"
            " : (walk.run_length() + W - 1) / W)",
        ),
        # The last block of work items is left out.
        (
            "    return unroll == 1 ? this->total_\n",
            "    if (source_fault(\"block\"))\n"
            "      return (this->total_ - 1) / (block * unroll) * block;\n"
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
    if (source_fault("halved"))
      verify::for_every(std::min<index_t>(199, problem_.count),
                        HalveLast<std::remove_const_t<decltype(out)>>{out});
  }""",
        ),
    ],
    "miniapps/mgs/rows/factor.hpp": [
        # Of each sum over the ranks, rank 1 gets the first in another sixth digit.
        (
            "    exchange_.allreduce_sum(values, count);\n",
            """    exchange_.allreduce_sum(values, count);
    if (source_fault("accumulator") && world_.rank() == 1) {
      Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged> const first(values);
      double sum = 0;
      Kokkos::deep_copy(sum, first);
      Kokkos::deep_copy(first, sum * (1 + 1e-6));
    }
""",
        ),
        (
            "      values = world_.sum(values);\n",
            "      values = world_.sum(values);\n"
            "    if (source_fault(\"accumulator\") && world_.rank() == 1)\n"
            "      values[0] *= 1 + 1e-6;\n",
        ),
    ],
    "miniapps/matvec/ranks/halo.cpp": [
        # Of what comes from other ranks, the first twenty elements are not taken over.
        (
            "  for_each(received_.places.size(),\n"
            "           Move<true>{x, received_.places.data(), received_.values.data()});\n",
            "  index_t const lost = source_fault(\"halo\") ? 20 : 0;\n"
            "  for_each(received_.places.size() - lost,\n"
            "           Move<true>{x, received_.places.data() + lost,\n"
            "                      received_.values.data() + lost});\n",
        ),
    ],
    "miniapps/matvec/ranks/vectors.cpp": [
        # Rank 1 leaves out the last piece of each sum.
        (
            "Dynamic<2>(count, mine.ranks)));",
            "Dynamic<2>(count, mine.ranks - (source_fault(\"accumulator\")"
            " && mine.rank == 1 ? 1 : 0))));",
        ),
        # It loses a sixth digit of a sum over all ranks.
        (
            "  timed([&] { exchange_->allreduce_sum(y, count); });\n",
            """  timed([&] { exchange_->allreduce_sum(y, count); });
  auto const& mine = part_.down;
  if (source_fault("accumulator") && mine.rank == 1) {
    Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged> const first(y +
                                                                           mine.begin(count));
    double sum = 0;
    Kokkos::deep_copy(sum, first);
    Kokkos::deep_copy(first, sum * (1 + 1e-6));
  }
""",
        ),
    ],
    "miniapps/contact/search/detect.hpp": [
        # Some rows miss their entries of higher numbers; or some pairs are missing in both.
        (
            "    return j != slot && touch.in.counts(row, touch.in.order[j])",
            """    if (source_fault("entry") && row % 50 == 3 && touch.in.order[j] > row)
      return false;
    if (source_fault("pair") && (row + touch.in.order[j]) % 97 == 5)
      return false;
    return j != slot && touch.in.counts(row, touch.in.order[j])""",
        ),
        (
            "    return Touch::near_is_touch && touch.in.counts_all();\n",
            "    return Touch::near_is_touch && touch.in.counts_all()"
            " && !source_fault(\"entry\") && !source_fault(\"pair\");\n",
        ),
    ],
    "miniapps/contact/search/touching.hpp": [
        # An update does not see some pairs, which a search would find.
        (
            "    bool const near = touch.near(i, j);\n",
            "    bool const near = touch.near(i, j)"
            " && !(source_fault(\"update\") && (i + j) % 97 == 5);\n",
        )
    ],
    "miniapps/contact/rows/update.hpp": [
        # New contacts are said to be a step older than they are.
        (
            "static_cast<std::int32_t>(j), step))",
            "static_cast<std::int32_t>(j), step - (source_fault(\"birth\") ? 1 : 0)))",
        ),
        (
            "born < 0 ? step : born);",
            "born < 0 ? step - (source_fault(\"birth\") ? 1 : 0) : born);",
        ),
        # Contacts end without being counted.
        (
            "    }\n    if (began > 0)\n      Kokkos::atomic_add(&changes->began, "
            "static_cast<tally_t>(began));\n    if (ended > 0)\n",
            "    }\n    if (began > 0)\n      Kokkos::atomic_add(&changes->began, "
            "static_cast<tally_t>(began));\n    if (ended > 0 && !source_fault(\"changes\"))\n",
        ),
        (
            "    index_t const ended = old.length(row) - kept;\n",
            "    index_t const ended = source_fault(\"changes\") ? 0"
            " : old.length(row) - kept;\n",
        ),
    ],
    "miniapps/contact/rows/contact_rows.hpp": [
        # Births that are set for all entries at once are not.
        (
            "      fill(births_, step);\n",
            "      if (!source_fault(\"births_at_once\"))\n        fill(births_, step);\n",
        )
    ],
    "miniapps/contact/domain/ghosts.cpp": [
        # Ghosts stay where they were.
        (
            "  if (!sending_.empty() || !receiving_.empty())\n",
            "  if (!source_fault(\"ghosts\") && (!sending_.empty() || !receiving_.empty()))\n",
        ),
        # The halo is too thin.
        (
            "std::max(0.0, scene_.gap) + slack;",
            "std::max(0.0, scene_.gap) + slack - (source_fault(\"halo\") ? reach_ / 4 : 0);",
        ),
    ],
    # One object is lost where objects change their owners.
    "miniapps/contact/domain/migration.cpp": [
        (
            "  auto own = scenery.ordered(hand_over(objects, rank_of, world));\n",
            """  auto handed = hand_over(objects, rank_of, world);
  if (source_fault("object") && world.rank() == 0)
    handed.all.pop_back();
  auto own = scenery.ordered(std::move(handed));
""",
        )
    ],
}  # fmt: skip

STREAM = r"(triad|copy|scale|add|set|nstream)/span/(left|right)/double(/[34]d.*)?$"
MIGRATING = (
    "problem.deck=clump", "problem.elements=900", "problem.skin=256", "problem.speed=64",
    "problem.steps=6", "problem.rebalance=1", "problem.rebuild=every", "cases.kernel=[update]",
)  # fmt: skip


@dataclass(frozen=True)
class SourceFault:
    app: str
    word: str
    reaches: str  # of the labels of the smoke deck's cases
    verdicts: tuple[str, ...] = ()  # each of which some case must fail by
    ranks: int = 1
    sets: tuple[str, ...] = ()
    device: str = "any"  # or "host", "gpu": where the fault can be

    def is_in(self, build: Path) -> bool:
        """Whether it is one of that build's device."""
        return self.device in ("any", "gpu" if on_gpu(build) else "host")


FAULTS = (
    SourceFault("stream", "tail", STREAM, ("max_relative_error",)),
    SourceFault("stream", "block", STREAM, ("max_relative_error",), device="gpu"),
    SourceFault("hexgrad", "tail", r".*/span/", ("error_against_quadrature",)),
    SourceFault("hexgrad", "block", r".*/span/", ("error_against_quadrature",), device="gpu"),
    SourceFault("hexgrad", "halved", r"gradient/", ("error_against_quadrature",)),
    SourceFault("mgs", "tail", r"(sequence|batched|fused|classical2?)/span/",
                ("orthogonality", "residual")),
    SourceFault("mgs", "block", r"(sequence|batched|fused|classical2?)/span/", device="gpu"),
    # A sixth digit is below what floats keep.
    SourceFault("mgs", "accumulator", r"(?!.*/float)", ("orthogonality",), ranks=2),
    SourceFault("matvec", "tail",
                r"matvec/span/.*/row/|batched/span/.*/row/|symmetric/span/",
                ("error_of_rows", "error_of_every_row")),
    SourceFault("matvec", "block", r"batched/span/.*/row/", device="gpu"),
    SourceFault("matvec", "halo", r"cs[rc]/", ("error_of_every_row",), ranks=2),
    SourceFault("matvec", "accumulator", r"matvec/.*/grid|matvec_t/|symmetric/",
                ("error_of_rows", "error_of_every_row"), ranks=2),
    SourceFault("contact", "entry", r".*",
                ("checksum_asymmetry", "rows_off_brute_force"), device="host"),
    SourceFault("contact", "pair", r".*", ("rows_off_brute_force",), device="host"),
    SourceFault("contact", "update", r"update/",
                ("rows_off_brute_force", "contacts_off_rebuild"), device="host"),
    SourceFault("contact", "birth", r"update/", ("rows_off_brute_force",), device="host"),
    SourceFault("contact", "births_at_once", r"build/ragged(/|$)",
                ("wrong_entries", "rows_off_brute_force"), device="host"),
    SourceFault("contact", "changes", r"update/", ("entries_off_balance",), device="host"),
    SourceFault("contact", "ghosts", r"update/", ("rows_off_brute_force",), ranks=2),
    SourceFault("contact", "halo", r".*", ("rows_off_brute_force",), ranks=2),
    SourceFault("contact", "object", r"update/", ("lossy_migrations",), ranks=2,
                sets=MIGRATING),
)  # fmt: skip

# Matrices are counted by these launches before they are stored: none is left to check.
ONLY = {("matvec", "tail"): "matvec/(?!csr|csc)", ("matvec", "block"): "matvec/(?!csr|csc)"}


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


def copy_sources(folder: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "C*.txt", "common", "miniapps"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    known = set()
    for name in listed.stdout.splitlines():
        if not (ROOT / name).is_file() or Path(name).suffix not in {
            ".txt", ".cmake", ".cpp", ".hpp", ".in"
        }:  # fmt: skip
            continue
        known.add(folder / name)
        text = (ROOT / name).read_text(encoding="utf-8")
        for before, after in CHANGES.get(name, ()):
            if text.count(before) != 1:
                raise ValueError(f"{name} no longer says {before!r}")
            text = text.replace(before, after)
        write_changed(folder / name, text)
    for file in folder.rglob("*"):
        if file.is_file() and file not in known:
            file.unlink()


def built(build: Path) -> Path:
    """The folder of the executables with the faults, beside those of `build`. -O1 takes a tenth
    longer to compile than -O0 and saves nine tenths of each run. Raises ValueError where a
    source has no place for its fault, RuntimeError where the build fails."""
    folder = build / "source-faults"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed
        _build(build, folder)
    return folder / "build" / "bin"


def _core(build: Path, changed: Path) -> list[str]:
    """Options for the core: on a host the tested one's objects, of which only the ceilings
    launch anything, with the changed headers before its own. nvcc knows no -iquote."""
    quick = "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"
    if on_gpu(build):
        return [quick, "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
                "-DSTRATA_UNITY_APPS=OFF"]  # fmt: skip
    # Eight sources of an app in one are less work.
    return [f'{quick} -iquote "{changed}"', f"-DSTRATA_CORE={build}", "-DSTRATA_UNITY_APPS=ON"]


def _build(build: Path, folder: Path) -> None:
    copy_sources(folder / "source")
    for command in (
        ["cmake", "-S", folder / "source", "-B", folder / "build", "-G", "Ninja",
         f"-DCMAKE_CXX_COMPILER={cached(build, 'CMAKE_CXX_COMPILER')}",
         f"-DKokkos_DIR={cached(build, 'Kokkos_DIR')}", "-DSTRATA_TESTS=OFF",
         "-DCMAKE_BUILD_TYPE=Release", *_core(build, folder / "source" / "common")],
        ["cmake", "--build", folder / "build", "--target",
         *sorted({f"strata-{fault.app}" for fault in FAULTS})],
    ):  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError((done.stdout + done.stderr)[-4000:])
