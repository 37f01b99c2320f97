/** What a build made again, and why, so that its cost can be compared with what changed. */
import type { RecordChanges } from '../catalogue/catalogue-changes.ts';
import type { SiteState } from './site-state.ts';

/** Why pages were rendered. */
export type RebuildReason = 'clean' | 'first build' | 'program or options' | 'changes';

/** What a build made again. */
export interface Rebuilt {
  /** `clean`: `--clean` was given. `changes`: the content of single pages changed, or files of the site were edited or deleted. */
  reason: RebuildReason;
  /** Records that changed since the last build; undefined if that is not known. */
  records: RecordChanges | undefined;
  /** The number of rendered pages. Some pages, such as the home page, are rendered in each build. */
  pages: number;
  /** Number of derivatives that were made. */
  derivatives: number;
  /** The number of parts of the search index, and of those that were made. */
  index: { parts: number; made: number };
}

/** Returns why pages were rendered. */
export function rebuildReason(isClean: boolean, lastBuild: SiteState['lastBuild']): RebuildReason {
  if (isClean) return 'clean';
  return { none: 'first build' as const, other: 'program or options' as const, same: 'changes' as const }[lastBuild];
}
