/** Recognizes that nothing changed since the last build of a site: then the files of the site are only stat'ed. */
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { openSiteState, STATE_FILE } from '../../publish/files/site-state.ts';
import { readManifestText } from '../../publish/manifest.ts';
import { snapshotStamp } from '../../snapshot/snapshot-stamp.ts';
import type { Store } from '../../snapshot/store.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import { partLimits } from '../search/search-limits.ts';
import type { BuildOptions } from './build-options.ts';
import { type BuildReport, REASONS } from './build-report.ts';

/** In the cache of a site: what the last build was made from, and its report. */
const LAST_BUILD_FILE = 'last-build.json';

/** What a build reports of its own work, apart from durations and what depends on the harvest. */
export type LastReport = Omit<BuildReport, 'interrupted' | 'notes' | 'seconds'>;

interface LastBuild {
  buildKey: string;
  /** SHA-256 of the manifest of the site. */
  manifest: string;
  report: LastReport;
}

/** Opens what is known of the last build in the cache of a site. */
export function openLastBuild(cacheDirectory: string, store: Pick<Store, 'db'>, options: BuildOptions) {
  const file = join(cacheDirectory, LAST_BUILD_FILE);
  const key = keyOf(store, options);
  return {
    /**
     * Returns the report of a build that makes nothing, if this one would do the same as the last and all files of the site in
     * the directory `out` are as that build left them.
     */
    findUnchanged(out: string) {
      const last = key === undefined ? undefined : readCacheNote<LastBuild>(file, key);
      if (!last || hashOfManifest(out) !== last.manifest) return undefined;
      using state = openSiteState(join(cacheDirectory, STATE_FILE), last.buildKey);
      if (state.lastBuild !== 'same' || !state.changedFiles(out).next().done) return undefined;
      const { report } = last;
      const compressed = { ...report.compressed, made: 0 };
      const [records, index] = [
        { added: 0, changed: 0, removed: 0 },
        { parts: report.rebuilt.index.parts, made: 0 },
      ];
      const rebuilt = { reason: REASONS.same, records, pages: 0, derivatives: 0, index };
      return { ...report, written: 0, removed: 0, made: 0, compressed, rebuilt };
    },
    /** Forgets the last build, because this one begins to change the site. */
    forget: () => rmSync(file, { force: true }),
    /** Keeps the report of this build, which is complete, unless the next one has to try something again. */
    keep(out: string, buildKey: string, report: LastReport, hasFailures: boolean) {
      // Programs that derivatives lack may be installed before the next build.
      if (key === undefined || hasFailures || report.lacking.length > 0) return;
      writeCacheNote(file, key, { buildKey, manifest: hashOfManifest(out), report } satisfies LastBuild);
    },
  };
}

/** Returns a hash of everything that a site is made from; undefined if the snapshot may be written at the same time. */
function keyOf(store: Pick<Store, 'db'>, { onProgress: _, clean: __, ...options }: BuildOptions): string | undefined {
  const stamp = snapshotStamp(store);
  if (stamp === undefined) return undefined;
  const settings = {
    ...options,
    withholding: options.withholding.digest,
    design: options.design?.design.hash,
    components: options.components?.hash,
    own: options.own?.hash,
    notices: options.notices?.hash,
  };
  return hash('sha256', JSON.stringify([hashOfProgram(), settings, partLimits(), stamp]));
}

const hashOfManifest = (out: string): string => hash('sha256', readManifestText(out) ?? '');
