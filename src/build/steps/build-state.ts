/** What the steps of a build have in common. */
import type { PageProblems } from '../../catalogue/page-problems.ts';
import type { TimeStep } from '../../derivatives/site-files.ts';
import type { BuildOptions } from './build-options.ts';
import type { PreparedSite } from './prepare.ts';

/** What the steps of a build share. */
export interface BuildState {
  prepared: PreparedSite;
  options: BuildOptions;
  cacheDirectory: string;
  buildKey: string;
  /** What fails is added. */
  pageProblems: PageProblems;
  timed: TimeStep;
}
