"""Strata's apps under Ramble, and so under Benchpark: see ../../ramble.yaml for a workspace."""

# ruff: noqa: F403, F405 (Ramble's own way to hand out its directives)
from ramble.appkit import *


class Strata(ExecutableApplication):
    """Performance-portable mini-applications that tell what a machine is worth."""

    name = "strata"

    tags("mini-app", "benchmark", "kokkos", "memory-bandwidth")

    executable(
        "measure",
        "{build}/bin/strata-{app} {arguments} --output-dir {experiment_run_dir}/results",
        use_mpi=True,
    )
    workload("deck", executables=["measure"])

    for _name, _default, _description in (
        ("app", "stream", "which app: stream, hexgrad, ..."),
        ("build", "build/run", "folder whose bin/ has the executables, or their installation"),
        ("arguments", "", "--deck FILE, --set KEY=VALUE, ..."),
    ):
        workload_variable(_name, default=_default, description=_description, workloads=["deck"])

    # The last line of a run whose answers were right on all ranks; one with a wrong answer has
    # no figures for that case.
    success_criteria(
        "passed", mode="string", match=r"^RESULT v=1 app=\S+ status=PASS ", file="{log_file}"
    )

    _fom = (
        r"^FOM v=1 app=\S+ case=(?P<case>\S+) metric=(?P<metric>\S+) value=(?P<value>\S+) "
        r"unit=(?P<unit>\S+) .*scope=job "
    )
    figure_of_merit_context("case", regex=_fom, output_format="{case}")
    figure_of_merit(
        "{metric} {unit}",
        log_file="{log_file}",
        fom_regex=_fom,
        group_name="value",
        units="",
        contexts=["case"],
    )
