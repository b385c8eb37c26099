#!/bin/bash -l
#flux: --job-name=strata-my_suite
#flux: --nodes=1
#flux: --exclusive
#flux: --time-limit=3600s
#flux: --output=/site/out/flux-cpu/jobs/strata-my_suite-{{id}}.log
set -eo pipefail # and no -u: sites' module files read variables that are not set
export STRATA_SYSTEM=flux-cpu

# A folder for each job, and each index of an array: no two write the same file.
id=${FLUX_JOB_ID:-$(flux getattr jobid)}
job=/site/out/flux-cpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec timeout --preserve-status --signal=TERM 3480 \
  /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/flux-cpu.yaml --nodes 1 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight --index "$STRATA_INDEX"
