"""Writes the job script of a suite deck for a system, and submits it.

What must be known of a site is in scripts/systems/NAME.yaml (the keys are below, two
examples are there); nobody edits a script. The job shows who runs where, then does what
`strata run` does, and ends with its exit code. Some time before its limit the app
in hand is told to stop and writes a record marked incomplete. Submitted again, a suite goes on
where it was. Beside the records, in <system>/jobs/, the job leaves its script, modules, decks
and log.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shlex
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from strata_tools import ROOT, decks, plan, suite, systems
from strata_tools.files import write
from strata_tools.launch import Build, Launcher
from strata_tools.run import (
    COMMAND_LINE,
    INTERNAL,
    OK,
    add_suite,
    not_writable,
    positive,
    refuse,
    shortest,
)
from strata_tools.strict_yaml import InvalidFileError

TEMPLATES = ROOT / "scripts" / "batch"
COMMANDS = {
    "slurm": ["sbatch"],
    "pbs": ["qsub"],
    "lsf": ["bsub"],
    "flux": ["flux", "batch"],
    "shell": ["bash", "-l"],
}
EXAMPLES = """examples:
  strata submit inputs/quick.yaml --system gpu-node --dry-run     print the script
  strata submit my.yaml --system site.yaml --nodes 8              a description of your own
  strata submit my.yaml --system cpu-cluster --array              every run a job of its own
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{systems.__doc__}\n{EXAMPLES}"
    add_suite(parser)
    option = parser.add_argument
    option("--system", required=True, metavar="NAME",
           help="scripts/systems/NAME.yaml, or a file")  # fmt: skip
    option("--nodes", type=positive, metavar="N", help="instead of the system's job.nodes")
    option("--time-limit", type=positive, metavar="SECONDS",
           help="instead of the system's job.time_limit_s")  # fmt: skip
    option("--array", action="store_true",
           help="a job array: every run, with its repeats, is an element of its own; repeats "
           "of different runs are then not interleaved")  # fmt: skip
    option("--fresh", action="store_true", help="run also what has its record already")
    option("--dry-run", action="store_true", help="print the script, submit nothing")


@dataclass(frozen=True)
class Job:
    """What a template is filled with, beside the system."""

    name: str
    suite: Path
    system: systems.System
    description: Path
    build: Path
    output: Path
    nodes: int
    ranks_per_node: int
    limit_s: int
    count: int
    """Elements of the array; 1 without one."""
    options: tuple[str, ...]
    label: str
    """STRATA_LABEL of who submits, which no scheduler is sure to pass on."""

    @property
    def jobs(self) -> Path:
        return self.output / self.system.name / "jobs"


def main(arguments: argparse.Namespace) -> int:
    try:
        description = systems.find(arguments.system)
        system = systems.read(description)
        listed = suite.read(shortest(arguments.suite))
        build = Build((arguments.build or system.build).resolve())
        seats = system.on(build, arguments.nodes or system.nodes)
        runs = plan.settled(listed, seats.ranks_for_all_devices())
        _demand_seats(runs, seats)
        if build.apps() or not arguments.dry_run:
            decks.demand_executables(listed, build)
    except InvalidFileError as invalid:
        return refuse(invalid)
    limit = arguments.time_limit or system.time_limit_s
    if limit < 2 * system.warning_s:
        print(
            f"--time-limit is {limit}; it must be at least {2 * system.warning_s}, twice the "
            "system's job.warning_s",
            file=sys.stderr,
        )
        return COMMAND_LINE
    if arguments.array and system.scheduler == "shell":
        print("--array needs a scheduler; scheduler shell has none", file=sys.stderr)
        return COMMAND_LINE
    if build.apps() and (code := decks.check(runs, build)) != OK:
        return code
    job = Job(
        name="strata-" + re.sub(r"[^\w.-]", "_", arguments.suite.stem),
        suite=arguments.suite.resolve(),
        system=system,
        description=description.resolve(),
        build=build.folder,
        output=arguments.output_dir.resolve(),
        nodes=seats.nodes,
        ranks_per_node=max(
            seats.seats(run.ranks or 1, run.ranks or 1).per_node for run in runs
        ),
        limit_s=limit,
        count=len(runs) if arguments.array else 1,
        options=("--fresh",) if arguments.fresh else (),
        label=os.environ.get("STRATA_LABEL", ""),
    )
    try:
        text = script(job)
    except ImportError:
        print(
            f"{sys.executable} has no Jinja2, which job scripts are written with; "
            "pip install jinja2, or scripts/setup test for an environment that has it",
            file=sys.stderr,
        )
        return INTERNAL
    if arguments.dry_run:
        print(text, end="")
        return OK
    return _submit(job, text)


def script(job: Job) -> str:
    """The job script."""
    import jinja2  # noqa: PLC0415 (`strata run` must not need it)

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["q"] = lambda value: shlex.quote(str(value))
    environment.filters["clock"] = _clock
    environment.filters["hours_minutes"] = lambda seconds: _clock(seconds + 59)[:-3]
    template = environment.get_template(f"{job.system.scheduler}.sh.j2")
    fields = {name: getattr(job, name) for name in (*job.__dataclass_fields__, "jobs")}
    return template.render(**fields, strata=ROOT / "scripts" / "strata", timeout=None)


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _demand_seats(runs: list[suite.Run], on: Launcher) -> None:
    problems = [
        f"{run.place}: {run.ranks} ranks do not fit {on.nodes} "
        f"node{'s' if on.nodes > 1 else ''} of {on.cores} cores; raise --nodes"
        for run in runs
        if (run.ranks or 1) > on.nodes * on.cores
    ]
    if problems:
        raise suite.SuiteError(problems)


def _submit(job: Job, text: str) -> int:
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    file = job.jobs / f"{job.name}-{stamp}-{secrets.token_hex(2)}.sh"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, text, "surrogateescape")
    except OSError as error:
        return not_writable(error, "--output-dir")
    worst = OK
    for words in _commands(job, file):
        print(f"== {shlex.join(words)}", flush=True)
        worst = max(worst, _start(words, file))
    where = f"records and logs come to {job.output / job.system.name}"
    print(where if worst == OK else f"exit code {worst}; the script is {file}", flush=True)
    return worst


def _commands(job: Job, file: Path) -> list[list[str]]:
    command = COMMANDS[job.system.scheduler]
    if job.system.scheduler == "lsf":
        return [command]  # the script is its standard input
    if job.system.scheduler == "flux" and job.count > 1:
        indices = range(1, job.count + 1)
        return [[*command, f"--env=STRATA_INDEX={index}", str(file)] for index in indices]
    return [[*command, str(file)]]


def _start(words: list[str], file: Path) -> int:
    try:
        with file.open(encoding="utf-8") as text:
            return subprocess.run(words, stdin=text, check=False).returncode
    except FileNotFoundError:
        print(
            f"no {words[0]} on PATH: submit from a login node of the system, or correct "
            "`scheduler` in its description",
            file=sys.stderr,
        )
        return INTERNAL
