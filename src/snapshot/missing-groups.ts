/** Groups what upstream does not have by what it is and who names it, so that one sentence says it of hundreds. */
import { isGuideKind, parseResourceKey } from '../model/resources.ts';
import { LANGUAGE_FILES } from '../model/text/languages.ts';
import { createTexts } from '../model/text/messages.ts';
import type { Failure } from './read.ts';

/** Articles that authors name; records that the guide names; everything else. */
export type MissingGroup = 'article' | 'guideRecord' | 'other';

/** A sentence for each group, in English, for reports. */
export const MISSING_SENTENCES = createTexts(LANGUAGE_FILES.en.about.absent, 'en');

/**
 * Returns the numbers of missing resources by group, none of them 0, these resources (`missing`), and all other failures. What
 * the operator named is among the others.
 */
export function groupMissing(failures: readonly Failure[]) {
  const byGroup = Map.groupBy(failures, groupOf);
  const { missing = [], others = [] } = Object.groupBy(failures, (failure) => (groupOf(failure) ? 'missing' : 'others'));
  const groups = (['article', 'guideRecord', 'other'] as const).flatMap((group): Array<[MissingGroup, number]> => {
    const count = byGroup.get(group)?.length ?? 0;
    return count > 0 ? [[group, count]] : [];
  });
  return { groups, missing, others };
}

function groupOf({ kind, referrer, missing }: Failure): MissingGroup | undefined {
  if (!missing || referrer === null) return undefined;
  if (kind === 'article') return kind;
  return kind === 'object' && isGuideKind(parseResourceKey(referrer).kind) ? 'guideRecord' : 'other';
}
