#!/bin/bash -l
set -eo pipefail # and no -u: sites' module files read variables that are not set

module load mpi/4
export A_VARIABLE='two words'
export STRATA_SYSTEM=shell-gpu

# A folder for each job, and each index of an array: no two write the same file.
id=$(date -u +%Y%m%dT%H%M%SZ)-$$
job=/site/out/shell-gpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec timeout --preserve-status --signal=TERM 3480 \
  /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/shell-gpu.yaml --nodes 2 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight
