#!/bin/sh
# Merges the shards of slurm-shard.sh to the site in OUT, by default dist.
#SBATCH --job-name=microfiche-merge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=5G
set -eu
exec npx --no-install microfiche merge --out "${OUT:-dist}" "$SHARDS"/*
