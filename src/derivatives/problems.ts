/** Collects media files that could not be used, for the build report: broken files, and files that need a missing program. */
import type { FileFailure } from '../media/media-report.ts';
import { MissingToolError } from './tools.ts';

/** The media files that a step could not process. */
export interface DerivativeProblems {
  problems: FileFailure[];
  /** Packages, libraries and decoders that are not installed, each with the number of media files that need it. */
  lacking: Array<{ tool: string; files: number }>;
}

/**
 * Records the error of one media file.
 * @throws the error itself if the disk is full: the file is not the cause
 */
export function recordProblem(
  { url, owner }: { url: string; owner: string },
  error: unknown,
  { problems, lacking }: DerivativeProblems,
): void {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
  if (!(error instanceof MissingToolError)) {
    problems.push({ url, owner, cause: (error as Error).message || 'the file cannot be read' });
    return;
  }
  const known = lacking.find(({ tool }) => tool === error.tool);
  if (known) known.files++;
  else lacking.push({ tool: error.tool, files: 1 });
}

/** Merges reports. The result is sorted by URL and tool. */
export function mergeProblems(...reports: DerivativeProblems[]): DerivativeProblems {
  const allLacking = reports.flatMap(({ lacking }) => lacking);
  const byTool = Map.groupBy(allLacking, ({ tool }) => tool);
  return {
    problems: reports.flatMap(({ problems }) => problems).sort((a, b) => (a.url < b.url ? -1 : 1)),
    lacking: [...byTool]
      .map(([tool, sameTool]) => ({ tool, files: sameTool.reduce((total, { files }) => total + files, 0) }))
      .sort((a, b) => (a.tool < b.tool ? -1 : 1)),
  };
}
