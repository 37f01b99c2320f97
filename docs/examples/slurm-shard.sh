#!/bin/sh
# One shard of a site, as a task of a Slurm array job. Start all, and then the merge:
#
#   export SNAPSHOT=$PWD/content/snapshot SHARDS=$PWD/shards COUNT=4
#   job=$(sbatch --parsable --requeue --array=0-3 docs/examples/slurm-shard.sh)
#   sbatch --dependency=afterok:"$job" docs/examples/slurm-merge.sh
#
# SNAPSHOT and SHARDS are on a disk that all nodes share. A task that fails can be run again
# (scontrol requeue, or sbatch --array with its number); it changes nothing in the others.
#SBATCH --job-name=microfiche-shard
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=5G
set -eu
exec npx --no-install microfiche build \
  --snapshot "$SNAPSHOT" \
  --shard "$SLURM_ARRAY_TASK_ID/$COUNT" \
  --out "$SHARDS/$SLURM_ARRAY_TASK_ID"
