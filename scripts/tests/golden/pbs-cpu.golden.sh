#!/bin/bash -l
#PBS -N strata-my_suite
#PBS -J 1-3
# PBS counts hardware threads.
#PBS -l select=1:ncpus=8:mpiprocs=4
#PBS -l place=scatter:excl
#PBS -l walltime=01:00:00
#PBS -j oe
#PBS -o /site/out/pbs-cpu/jobs/
set -eo pipefail # and no -u: sites' module files read variables that are not set
export STRATA_SYSTEM=pbs-cpu

# A folder for each job, and each index of an array: no two write the same file.
id=${PBS_JOBID%%.*}
job=/site/out/pbs-cpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec timeout --preserve-status --signal=TERM 3480 \
  /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/pbs-cpu.yaml --nodes 1 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight --index "$PBS_ARRAY_INDEX"
