#!/bin/bash -l
#SBATCH --job-name=strata-my_suite
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --mem=0
# All GPUs of a node for all of its ranks. Never per task: that hides them from each other, and
# MPI between two GPUs of a node fails or turns slow (CUDA IPC).
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
# Before the limit the runner, and no other process, gets SIGTERM: it has the app in hand
# finish its sample and write a record marked incomplete, and starts no other.
#SBATCH --signal=B:TERM@120
#SBATCH --output=/site/out/slurm-gpu/jobs/strata-my_suite-%j.log
#SBATCH --open-mode=append
#SBATCH --partition=batch
#SBATCH --account=me
#SBATCH --constraint=x
set -eo pipefail # and no -u: sites' module files read variables that are not set

module load mpi/4
export A_VARIABLE='two words'
export STRATA_SYSTEM=slurm-gpu

# A folder for each job, and each index of an array: no two write the same file.
id=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
job=/site/out/slurm-gpu/jobs/${id//[^[:alnum:]_-]/_}
mkdir -p "$job"
cp -- "$0" "$job/job.sh" || echo "note: no copy of the job script in $job" >&2
{ module list || echo "no modules"; } >"$job/modules.txt" 2>&1

# From here on this process is the runner: signals reach it, its exit code (the worst of its
# launches') is the job's. It shows who runs where before it measures, and stops if two ranks
# would share a device.
exec /strata/scripts/strata run '/site/my suite.yaml' \
  --system /site/slurm-gpu.yaml --nodes 2 \
  --build /site/build --output-dir /site/out \
  --job-folder "$job" --preflight
