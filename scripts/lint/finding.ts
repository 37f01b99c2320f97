/** Findings of the lint rules, formatted so that editors turn them into links. */

/** One violation of a rule. */
export interface Finding {
  /** Path in the repository. */
  path: string;
  /** Counted from 1. */
  line: number;
  message: string;
}

/** Formats a finding: `src/harvest/crawl.ts:20 "word": use "other word"`. */
export const formatFinding = ({ path, line, message }: Finding): string => `${path}:${line} ${message}`;
