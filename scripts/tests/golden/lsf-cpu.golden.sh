#!/bin/bash -l
#BSUB -J "strata-my_suite[1-3]"
#BSUB -n 4
#BSUB -R "span[ptile=4]"
#BSUB -x
#BSUB -W 01:00
#BSUB -o /site/out/lsf-cpu/jobs/strata-my_suite-%J_%I.log
set -eo pipefail # and no -u: sites' module files read variables that are not set
export STRATA_SYSTEM=lsf-cpu

# A folder for each job, and each index of an array: no two write the same file.
id=${LSB_JOBID}_${LSB_JOBINDEX}
job=/site/out/lsf-cpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec timeout --preserve-status --signal=TERM 3480 \
  /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/lsf-cpu.yaml --nodes 1 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight --index "$LSB_JOBINDEX"
