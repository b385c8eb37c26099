"""Descriptions of systems, `scripts/systems/<name>.yaml`: what a job must know of a site.

    strata_system: 1
    scheduler: slurm            # slurm, pbs, lsf, flux or shell
    launcher: srun              # mpirun, srun, jsrun, flux, pals or aprun; auto, unless given
    launcher_options: [--mpi=pmix]
    node:
      cores: 64                 # physical ones
      threads_per_core: 2       # 1, unless given
      numa_nodes: 4             # 1, unless given; one rank on each where there are no GPUs
      gpus: 4                   # 0, unless given; one rank on each
    job:                        # may be left out, as any of its keys
      nodes: 1
      time_limit_s: 3600
      warning_s: 120            # before the limit, for records of what has been measured
      queue: batch              # Slurm's partition, or several: a,b
      account: project
      options: ["--constraint=cpu"]   # of the scheduler, handed on as they are
    modules: [gcc/12, openmpi/4.1]    # loaded in this order
    environment: {UCX_NET_DEVICES: "mlx5_0:1"}
    build: build/run            # folder whose bin/ has the executables; below the clone

Read as strictly as suite decks.
"""

from __future__ import annotations

import contextlib
import dataclasses
from dataclasses import dataclass
from pathlib import Path

import yaml

from strata_tools import BUILD, ROOT
from strata_tools.find_launcher import LAUNCHERS, own_options, program_of
from strata_tools.launch import Build, Launcher
from strata_tools.strict_yaml import InvalidFileError, Reader, shown
from strata_tools.text import shortened

FORMAT = "1"
FOLDER = ROOT / "scripts" / "systems"
SCHEDULERS = ("slurm", "pbs", "lsf", "flux", "shell")
KEYS = (
    "strata_system", "scheduler", "launcher", "launcher_options", "node", "job", "modules",
    "environment", "build",
)  # fmt: skip
NODE_KEYS = ("cores", "threads_per_core", "numa_nodes", "gpus")
JOB_KEYS = ("nodes", "time_limit_s", "warning_s", "queue", "account", "options")
WORD = r"[\w.:@+-]+"
PARTITIONS = (rf"{WORD}(,{WORD})*", "one word, or several with commas and no blanks between")
"""Pattern and rule of the queues of Slurm, which takes the one that starts the job first."""


class DescriptionError(InvalidFileError):
    """A description no job can be made from; `problems` has one line for each reason."""


@dataclass(frozen=True)
class System:
    """What a site's users know about it."""

    name: str
    """The file's; records have it, too."""
    scheduler: str
    cores: int
    launcher: str = "auto"
    launcher_options: tuple[str, ...] = ()
    threads_per_core: int = 1
    numa_nodes: int = 1
    gpus: int = 0
    nodes: int = 1
    time_limit_s: int = 3600
    warning_s: int = 120
    queue: str = ""
    account: str = ""
    options: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    build: Path = BUILD

    def on(self, build: Build, nodes: int) -> Launcher:
        """Who would sit where; without a program to start them with."""
        drives_gpus = build.gpu_backend() is not None or build.is_installed()
        return Launcher(
            mpiexec=None,
            flavour="other",
            numa=self.numa_nodes,
            cores=self.cores,
            gpus=self.gpus if drives_gpus else 0,
            nodes=nodes,
            threads_per_core=self.threads_per_core,
        )

    def launcher_of(self, build: Build, told: str, nodes: int) -> Launcher:
        """`told` wins over the description unless it is auto."""
        program, flavour = program_of(build, self.launcher if told == "auto" else told)
        says_mpi = any(option.startswith("--mpi=") for option in self.launcher_options)
        own = () if says_mpi else own_options(build, program, flavour)
        return dataclasses.replace(
            self.on(build, nodes),
            mpiexec=program,
            flavour=flavour,
            options=own + self.launcher_options,
        )


def find(name: str) -> Path:
    """The description `name` stands for: a file, or the name of one in scripts/systems."""
    path = Path(name)
    with contextlib.suppress(OSError):  # no file has a name of that length
        if path.suffix == ".yaml" or path.is_file():
            return path
        if (FOLDER / f"{name}.yaml").is_file():
            return FOLDER / f"{name}.yaml"
    known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.yaml")))
    raise DescriptionError(
        [
            f"there is no {shortened(name)}.yaml in scripts/systems (known: {known}); write "
            "one as the examples there are, or give a file: --system FILE.yaml"
        ]
    )


def read(path: Path) -> System:
    """The system that a file describes; raises DescriptionError."""
    return _Reader(path, "the system's description").system()


class _Reader(Reader):
    def system(self) -> System:
        root = self.document("strata_system, scheduler and node")
        entries = self.entries(root, self.what, KEYS) if root else {}
        fields: dict[str, object] = {}
        if root and not self.problems:
            self.format(root, entries, "strata_system", FORMAT)
            for key in ("scheduler", "node"):
                if key not in entries:
                    self.problem(root, f"{key} is missing")
            fields = self._top(entries) | self._node(entries) | self._job(entries)
        if self.problems:
            raise DescriptionError(self.problems)
        return System(name=self.path.stem, **fields)  # type: ignore[arg-type]

    def _top(self, entries: dict[str, yaml.Node]) -> dict[str, object]:
        fields: dict[str, object] = {}
        for key, values in (("scheduler", SCHEDULERS), ("launcher", ("auto", *LAUNCHERS))):
            if key in entries:
                fields[key] = self.text(
                    entries[key], key, "|".join(values), f"one of {', '.join(values)}"
                )
        for key in ("launcher_options", "modules"):
            if key in entries:
                fields[key] = self._words(entries[key], key)
        if "environment" in entries:
            values = self.entries(entries["environment"], "environment", None)
            for key, _ in entries["environment"].value if values else ():
                pattern = r"[A-Za-z_][A-Za-z0-9_]*"
                self.text(key, "a name in environment", pattern, "a variable's name")
            fields["environment"] = tuple(
                (name, self.text(node, f"environment.{name}", r"[^\n]*", "one line of text"))
                for name, node in values.items()
            )
        if "build" in entries:
            fields["build"] = ROOT / self.text(entries["build"], "build", r".+", "a folder")
        return fields

    def _node(self, entries: dict[str, yaml.Node]) -> dict[str, object]:
        if "node" not in entries:
            return {}
        node = self.entries(entries["node"], "node", NODE_KEYS)
        if isinstance(entries["node"], yaml.MappingNode) and "cores" not in node:
            self.problem(entries["node"], "node.cores is missing")
        limits = {"cores": (1, 100_000), "threads_per_core": (1, 16), "numa_nodes": (1, 1000),
                  "gpus": (0, 1000)}  # fmt: skip
        fields = {
            key: self.integer(value, f"node.{key}", *limits[key]) for key, value in node.items()
        }
        ranks = fields.get("gpus") or fields.get("numa_nodes") or 1
        if (cores := fields.get("cores")) and ranks > cores:
            self.problem(node["cores"], f"node.cores is {cores}, and there are {ranks} ranks")
        return dict(fields)

    def _job(self, entries: dict[str, yaml.Node]) -> dict[str, object]:
        if "job" not in entries:
            return {}
        job = self.entries(entries["job"], "job", JOB_KEYS)
        limits = {"nodes": (1, 1_000_000), "time_limit_s": (60, 31_536_000),
                  "warning_s": (1, 86_400)}  # fmt: skip
        fields: dict[str, object] = {}
        for key, node in job.items():
            if key in limits:
                fields[key] = self.integer(node, f"job.{key}", *limits[key])
            elif key == "options":
                fields[key] = self._words(node, "job.options")
            else:
                lists = (
                    key == "queue" and getattr(entries.get("scheduler"), "value", "") == "slurm"
                )
                pattern, rule = PARTITIONS if lists else (WORD, "one word")
                fields[key] = self.text(node, f"job.{key}", pattern, rule)
        limit, warning = fields.get("time_limit_s", 3600), fields.get("warning_s", 120)
        if isinstance(limit, int) and isinstance(warning, int) and warning * 2 > limit:
            self.problem(
                entries["job"],
                f"job.warning_s is {warning}; it must be at most half of time_limit_s, {limit}",
            )
        return fields

    def _words(self, node: yaml.Node, where: str) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode):
            self.problem(node, f"{where} is {shown(node)}; it must be a list")
            return ()
        return tuple(
            self.text(item, f"{where}[{i}]", r"[^\n]+", "one line of text")
            for i, item in enumerate(node.value)
        )
