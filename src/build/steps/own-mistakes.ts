/** What a build does about records that own pages and settings name, but that are not in the site. */
import type { PageProblems } from '../../catalogue/page-problems.ts';
import { throwOwnProblems } from '../../settings/read-own-content.ts';
import type { BuildOptions } from './build-options.ts';
import type { PageMistake } from './check-own-content.ts';

/**
 * Reports mistakes in own pages: as defects of their pages if the build leaves out what is not in the site.
 * @throws {UserError} otherwise, that names each of them with its file and line. Does nothing without mistakes
 */
export function reportOwnMistakes(
  mistakes: readonly PageMistake[],
  { leavesOut }: Pick<BuildOptions, 'leavesOut'>,
  pageProblems: Pick<PageProblems, 'addDefect'>,
): void {
  if (!leavesOut) throwOwnProblems(mistakes);
  for (const { page, file, line, problem } of mistakes)
    pageProblems.addDefect(page, `${file}, line ${line}: ${problem}; it is left out`);
}
