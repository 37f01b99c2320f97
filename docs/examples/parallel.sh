#!/bin/sh
# Builds a site in shards with GNU parallel, and merges them. With --sshloginfile, the shards are built on other machines, which need the same
# paths on a common disk: sh docs/examples/parallel.sh content/snapshot dist 4 --sshloginfile machines.txt
set -eu
snapshot=$1 out=${2%/} shards=$3
shift 3
directory=$out.shards
parallel --quote "$@" --halt soon,fail=1 --retries 2 --workdir "$PWD" \
  npx --no-install microfiche build --snapshot "$snapshot" --shard "{}/$shards" --out "$directory/{}" ::: $(seq 0 $((shards - 1)))
npx --no-install microfiche merge --out "$out" $(seq -f "$directory/%g" 0 $((shards - 1)))
rm -r "$directory"
