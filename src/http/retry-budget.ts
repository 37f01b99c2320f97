/** Limits the retries of one request by kind of failure, so that failures of one kind do not use up the retries of another. */

/** Kinds of failures that a retry may fix: no complete response or an error status, an unusable response, and a Retry-After delay. */
export type RetryKind = 'error' | 'unusable' | 'retry-after';

/** The retries of one request. All limits together limit their number. */
export interface RetryBudget {
  /** Counts a failure. Returns whether the request may be retried. */
  allows(kind: RetryKind): boolean;
}

/** Creates a budget from the maximum number of retries after failures of each kind. */
export function createRetryBudget(maxRetries: Readonly<Record<RetryKind, number>>): RetryBudget {
  const failures: Record<RetryKind, number> = { error: 0, unusable: 0, 'retry-after': 0 };
  return { allows: (kind) => ++failures[kind] <= maxRetries[kind] };
}
