/** What a build made again, and why, so that its cost can be compared with what changed. */
import type { RecordChanges } from '../../catalogue/dependencies/compare-catalogues.ts';
import type { SiteState } from '../../publish/files/site-state.ts';

/** Why pages were rendered. */
export type RebuildReason = 'clean' | 'first build' | 'program or options' | 'changes';

/** What a build made again. */
export interface RebuildReport {
  /** `clean`: `--clean` was given. `changes`: the content of single pages changed, or the site's files were edited or deleted. */
  reason: RebuildReason;
  /** Records that changed since the last build; undefined if that is not known. */
  records: RecordChanges | undefined;
  /** The number of rendered pages. Some, such as the home page, are rendered whenever anything changed. */
  pages: number;
  /** Number of derivatives that were made. */
  derivatives: number;
  /** The number of parts of the search index, and of those that were made. */
  index: { parts: number; made: number };
}

/** Describes what a build made again. */
export function describeRebuilt(
  isClean: boolean,
  lastBuild: SiteState['lastBuild'],
  made: Omit<RebuildReport, 'reason'>,
): RebuildReport {
  const reasons = { none: 'first build', other: 'program or options', same: 'changes' } as const;
  return { reason: isClean ? 'clean' : reasons[lastBuild], ...made };
}

/** Describes a build that made nothing again, given what the last one did. */
export function nothingRebuilt({ index }: Pick<RebuildReport, 'index'>): RebuildReport {
  const records: RecordChanges = { added: 0, changed: 0, removed: 0 };
  return { reason: 'changes', records, pages: 0, derivatives: 0, index: { parts: index.parts, made: 0 } };
}
