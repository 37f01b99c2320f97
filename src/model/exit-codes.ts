/** The exit codes of all commands (docs/reports.md, "Exit codes"). */
export const EXIT_CODES = {
  success: 0,
  failure: 1,
  usageError: 2,
  /** Something remains that a later run may get. */
  incomplete: 3,
  tooFewRecords: 4,
  locked: 5,
  /** As a shell reports a program that Ctrl-C has ended. */
  interrupted: 130,
} as const;
