/** How much the program prints: `--quiet` and `--verbose`. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describeError } from '../src/model/errors.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { toPrintable } from '../src/platform/text-lines.ts';

/** What the command that runs prints, in addition to its report. */
export const output = { hasProgress: true, isVerbose: false };

/** What is read of undici's messages about requests. */
interface Exchange {
  request: { method: string; origin: string; path: string };
  response?: { statusCode: number };
  error?: unknown;
}

/** The lines of reports that are warnings. Details follow below them, which `--quiet` leaves to the reports in files. */
const WARNINGS =
  /^(?:Warning|Failed|Quarantined|Incomplete lists|Problems|Unusable|Left out|Harvest (?:stopped|interrupted)|Update partial|Skipped: .*(?:unreachable|asks us to wait))\b/;

/**
 * Sets what a command prints, until it is disposed of. Quiet: only errors, as a whole report is if it exits with 1, and warnings.
 * Verbose: requests too.
 */
export function setOutput(
  { quiet, verbose, json }: { quiet?: boolean; verbose?: boolean; json?: boolean },
  exitCode: () => number,
): Disposable {
  const undo = new DisposableStack();
  if (quiet) {
    const { log } = console;
    const report: string[] = [];
    output.hasProgress = false;
    if (!json) console.log = (line: string) => void report.push(line);
    undo.defer(() => {
      output.hasProgress = true;
      console.log = log;
      const printed = exitCode() === EXIT_CODES.failure ? report : report.filter((line) => WARNINGS.test(line));
      for (const line of printed) console.error(line);
    });
  }
  if (verbose) {
    output.isVerbose = true;
    for (const name of CHANNELS) subscribe(name, printExchange);
    undo.defer(() => {
      output.isVerbose = false;
      for (const name of CHANNELS) unsubscribe(name, printExchange);
    });
  }
  return undo;
}

const CHANNELS = ['undici:request:headers', 'undici:request:error'];

function printExchange(message: unknown): void {
  const { request, response, error } = message as Exchange;
  const { method, origin, path } = request;
  const read = method === 'GET' || method === 'HEAD' ? path : ''; // the path of a webhook is a secret
  process.stderr.write(`${method} ${toPrintable(`${origin}${read}`)}: ${response?.statusCode ?? describeError(error)}\n`);
}
