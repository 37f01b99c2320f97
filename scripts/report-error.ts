/** How a command ends with an error. */
import { describeError, firstError, InterruptedError, isExpected, RetryLaterError, UsageError } from '../src/model/errors.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { output } from './output.ts';

/** Prints an error as one sentence. With `--verbose`, or if it is a defect of ours, a stack trace follows. Returns the code. */
export function reportError(failure: unknown): number {
  const error = firstError(failure);
  console.error(`microfiche: ${describeError(error)}`);
  if (output.isVerbose || !isExpected(error)) console.error((error as Error).stack);
  if (error instanceof InterruptedError) return EXIT_CODES.interrupted;
  if (error instanceof RetryLaterError) return EXIT_CODES.incomplete;
  return error instanceof UsageError ? EXIT_CODES.usageError : EXIT_CODES.failure;
}
