/** Collects the pages of a site that are incomplete. One record that breaks its page must not stop the build. */

/** Why a page is incomplete. */
export interface PageProblem {
  /** Path of the page in the site. */
  page: string;
  /** The problem, as a clause for a report. */
  cause: string;
  /** Where the settings name what is lacking, such as “microfiche.config.json, line 4”. */
  setting?: string;
}

/** Collects the problems of one build. */
export type PageProblems = ReturnType<typeof createPageProblems>;

const REPLACED = 'an own component failed, and the usual ones are shown';

/** Creates an empty collection of problems. */
export function createPageProblems() {
  const failed = new Map<string, string>();
  const replaced = new Map<string, string>();
  const lacking: PageProblem[] = [];
  return {
    /** Records that a page could not be rendered. A page with a notice replaces it. */
    addFailure: (page: string, error: unknown) => void failed.set(page, errorMessage(error)),
    hasFailed: (page: string) => failed.has(page),
    /** Records that an own component has failed on a page, which was rendered with the usual components. */
    addReplaced: (page: string, error: unknown) => void replaced.set(page, errorMessage(error)),
    /** Returns whether the next build has to render a page again. */
    isIncomplete: (page: string) => failed.has(page) || replaced.has(page),
    /** Returns whether it has to render any page again. */
    hasIncomplete: () => failed.size + replaced.size > 0,
    /** Records that a page was rendered but lacks something. */
    addDefect: (page: string, cause: string, setting?: string) =>
      void lacking.push({ page, cause, ...(setting === undefined ? {} : { setting }) }),
    /** Returns all problems, sorted by page, without duplicates. */
    list() {
      const problems: PageProblem[] = [
        ...failed.entries().map(([page, cause]) => ({ page, cause: `it could not be rendered: ${cause}` })),
        ...replaced.entries().map(([page, cause]) => ({ page, cause: `${REPLACED}: ${cause}` })),
        ...lacking,
      ];
      const distinct = new Map(problems.map((problem) => [`${problem.page}\n${problem.cause}`, problem]));
      return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
    },
  };
}

/** Returns the first line of an error's message. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
