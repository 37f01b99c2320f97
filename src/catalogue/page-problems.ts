/** What of a site could not be made as it should be: one record that breaks its page must not stop the rest. */

export interface PageProblem {
  /** Below dist. */
  page: string;
  cause: string;
}

export interface PageProblems {
  /** A page could not be made: in its place comes one that says so. */
  fail(page: string, error: unknown): void;
  hasFailed(page: string): boolean;
  /** A page is there and lacks something. */
  lacks(page: string, cause: string): void;
  /** Everything, in the order of pages. */
  all(): PageProblem[];
}

export function createPageProblems(): PageProblems {
  const failed = new Map<string, string>();
  const lacking: PageProblem[] = [];
  return {
    fail: (page, error) => void failed.set(page, messageOf(error)),
    hasFailed: (page) => failed.has(page),
    lacks: (page, cause) => void lacking.push({ page, cause }),
    all: () => inOrder([...[...failed].map(([page, cause]) => ({ page, cause: `it could not be made: ${cause}` })), ...lacking]),
  };
}

/** Problems in the order of pages, each once. */
export function inOrder(problems: readonly PageProblem[]): PageProblem[] {
  const key = ({ page, cause }: PageProblem) => `${page}\n${cause}`;
  const distinct = new Map(problems.map((problem) => [key(problem), problem]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
}

/** What an error says, in a line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
