/** Says why an update is partial: the site is up to date, but something in it failed that is not permanent upstream. */
import { formatCount } from '../../platform/text-lines.ts';
import type { StepResults } from './update-steps.ts';

/** Returns what failed in the steps of an update, one sentence each; none if nothing did. */
export function describePartial({ harvest, media, build }: StepResults): string[] {
  const transient = (failures: ReadonlyArray<{ transient: boolean }> = []) => failures.filter((one) => one.transient).length;
  const failedFiles = transient(media?.failures) + (media?.unreachable.reduce((total, { count }) => total + count, 0) ?? 0);
  const sentences: Array<[count: number | undefined, sentence: (count: number) => string]> = [
    [transient(harvest?.failures), (count) => `${formatCount(count, 'resource')} could not be fetched.`],
    [
      harvest?.shortfalls.length,
      (count) => `${formatCount(count, 'list')} of upstream ${count === 1 ? 'is' : 'are'} incomplete.`,
    ],
    [failedFiles, (count) => `${formatCount(count, 'media file')} could not be downloaded.`],
    [
      media?.quarantined.length,
      (count) => `${formatCount(count, 'media file')} failed verification and ${count === 1 ? 'is' : 'are'} quarantined.`,
    ],
    [
      new Set(build?.pageProblems.map(({ page }) => page)).size,
      (count) => `${formatCount(count, 'page')} cannot be shown completely.`,
    ],
    [build?.problems.length, (count) => `${formatCount(count, 'media file')} cannot be used.`],
  ];
  return sentences.flatMap(([count = 0, sentence]) => (count > 0 ? [sentence(count)] : []));
}
