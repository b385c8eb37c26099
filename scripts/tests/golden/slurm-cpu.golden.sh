#!/bin/bash -l
#SBATCH --job-name=strata-my_suite
#SBATCH --array=1-3
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=01:00:00
# Before the limit the runner, and no other process, gets SIGTERM: it has the app in hand
# finish its sample and write a record marked incomplete, and starts no other.
#SBATCH --signal=B:TERM@120
#SBATCH --output=/site/out/slurm-cpu/jobs/strata-my_suite-%A_%a.log
#SBATCH --open-mode=append
set -eo pipefail # and no -u: sites' module files read variables that are not set
export STRATA_SYSTEM=slurm-cpu

# A folder for each job, and each index of an array: no two write the same file.
id=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
job=/site/out/slurm-cpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/slurm-cpu.yaml --nodes 1 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight --index "$SLURM_ARRAY_TASK_ID"
