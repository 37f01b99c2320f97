/** What a rule reports, in the form that editors turn into a link. */

/** One place where a rule is broken. */
export interface Finding {
  /** Path from the top of the repository. */
  path: string;
  /** Counted from 1. */
  line: number;
  message: string;
  /** The counter in maxima.json that this finding belongs to; undefined if the rule allows none at all. */
  counter: string | undefined;
}

/** Formats a finding: `src/harvest/crawl.ts:20 "word": use "other word"`. */
export function formatFinding({ path, line, message }: Finding): string {
  return `${path}:${line} ${message}`;
}
