/** The report of a build. */
import type { RecordChanges } from '../../catalogue/dependencies/compare-catalogues.ts';
import type { UnreadDate } from '../../catalogue/lists/unread-dates.ts';
import type { PageProblem } from '../../catalogue/page-problems.ts';
import type { DerivativeProblems } from '../../derivatives/problems.ts';
import type { GuessedCharset } from '../../derivatives/shown-files.ts';
import type { PublishResult } from '../../publish/files/publish.ts';

/** Result of a build. `problems` and `lacking` are about media files; if such a file is an image, pages show a placeholder. */
export interface BuildReport extends PublishResult, DerivativeProblems {
  pages: number;
  documents: number;
  /** Number of media files with an image. */
  images: number;
  /** Pages and search documents that failed. Such a page shows a notice. */
  pageProblems: PageProblem[];
  /** Dates that no rule can read; their records count as undated. */
  unreadDates: UnreadDate[];
  /** Places that are not on the map because their position cannot be used, with the record and the words of the position. */
  unusablePositions: Array<{ record: string; place: string; position: string }>;
  /** Number of derivatives that were created because they were not cached. */
  made: number;
  /** Number of published media files from whose copies metadata was removed. */
  stripped: number;
  rebuilt: RebuildReport;
  /** Text files whose charset is not declared, so that it was guessed: their number, and all of them. */
  guessedCharsets: { count: number; files: GuessedCharset[] };
  /** Text files and PDF files of scans in which no text was recognized: their number, and all of them. */
  blankScans: { count: number; files: Array<{ url: string; owner: string }> };
  /** Duration of each step. */
  seconds: Record<string, number>;
  /** Set if the last harvest was interrupted or is in progress: the number of queued resources. */
  interrupted: { waiting: number } | undefined;
  notes: string[];
}

/** Why pages were rendered. */
export type RebuildReason = 'clean' | 'first build' | 'program or options' | 'changes';

/** What a build made again. */
export interface RebuildReport {
  /** `clean`: `--clean` was given. `changes`: the content of single pages, or files of the site, changed or were deleted. */
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

/** Why pages were rendered, by what is known of the last build. */
export const REASONS = { none: 'first build', other: 'program or options', same: 'changes' } as const;
