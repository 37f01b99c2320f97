/** What could not be made of stored files, for the report: bad files one by one, and what this machine has no program for in all. */
import { ToolMissing } from './tools.ts';

export interface Problem {
  url: string;
  owner: string;
  cause: string;
}

export interface Lack {
  /** The program or package that would be needed. */
  tool: string;
  files: number;
}

export interface Problems {
  problems: Problem[];
  lacking: Lack[];
}

/** Enters what went wrong with one file. @throws what is no fault of the file's: a full disk above all. */
export function enterProblem(
  { url, owner }: { url: string; owner: string },
  error: unknown,
  { problems, lacking }: Problems,
): void {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
  if (!(error instanceof ToolMissing)) {
    problems.push({ url, owner, cause: (error as Error).message || 'it cannot be read' });
    return;
  }
  const line = lacking.find(({ tool }) => tool === error.tool);
  if (line) line.files++;
  else lacking.push({ tool: error.tool, files: 1 });
}

/** Two reports as one, in a fixed order. */
export function joined(...reports: Problems[]): Problems {
  const lacks = Map.groupBy(
    reports.flatMap(({ lacking }) => lacking),
    ({ tool }) => tool,
  );
  return {
    problems: reports.flatMap(({ problems }) => problems).sort((a, b) => (a.url < b.url ? -1 : 1)),
    lacking: [...lacks]
      .map(([tool, lines]) => ({ tool, files: lines.reduce((sum, { files }) => sum + files, 0) }))
      .sort((a, b) => (a.tool < b.tool ? -1 : 1)),
  };
}
