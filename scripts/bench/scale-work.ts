/** What the parts of the benchmark of large archives share: directory, numbers of records, snapshots generated only once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../src/publish/manifest.ts';
import { formatNumber, printStep } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { runBuild } from './program.ts';

/** The work of one run of the benchmark. */
export type ScaleWork = ReturnType<typeof openWork>;

/** Starts the work in an empty directory. */
export function openWork(directory: string, many: number, runs: number) {
  const cache = join(directory, 'cache');
  const options = { env: { MICROFICHE_CACHE: cache }, cache, old: join(directory, 'old') };
  const snapshotOf = (count: number) => {
    const snapshot = join(directory, `snapshot-${count}`);
    if (!existsSync(snapshot)) {
      printStep(`generating ${formatNumber(count)} records`);
      generateSnapshot(snapshot, count);
    }
    return snapshot;
  };
  const siteDirectory = (count: number) => join(directory, `dist-${count}`);
  return {
    /** Records of the large archive. */
    many,
    /** Records of the smaller archive: a fifth of them. */
    few: Math.max(100, Math.round(many / 5)),
    /** Runs per measurement. */
    runs,
    /** Directory of all files. */
    directory,
    /** Options with which each command of Microfiche has its cache in the directory. */
    options,
    /** Returns the snapshot with this number of records, which is generated when it is first needed. */
    snapshotOf,
    /** Returns the directory of the site of `count` records. */
    siteDirectory,
    /** Returns the site of the large archive, which is built unless a part has built it already. */
    async site() {
      const dist = siteDirectory(many);
      if (existsSync(join(dist, MANIFEST_FILE))) return dist;
      const snapshot = snapshotOf(many);
      printStep(`building the site of ${formatNumber(many)} records`);
      await runBuild(snapshot, dist, [], options);
      return dist;
    },
  };
}
