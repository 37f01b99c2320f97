/** How much the program prints: `--quiet` and `--verbose`. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describeError } from '../src/model/errors.ts';
import { toPrintable } from '../src/platform/text-lines.ts';

/** What the command that runs prints, in addition to its report. */
export const output = { hasProgress: true, isVerbose: false };

/** What is read of undici's messages about requests. */
interface Exchange {
  request: { method: string; origin: string; path: string };
  response?: { statusCode: number };
  error?: unknown;
}

/** Sets what a command prints, until it is disposed of. Quiet is without reports and progress; verbose, with each request. */
export function setOutput({ quiet, verbose, json }: { quiet?: boolean; verbose?: boolean; json?: boolean }): Disposable {
  const { log } = console;
  Object.assign(output, { hasProgress: !quiet, isVerbose: verbose === true });
  if (quiet && !json) console.log = () => undefined;
  if (verbose) for (const name of CHANNELS) subscribe(name, printExchange);
  return {
    [Symbol.dispose]() {
      console.log = log;
      Object.assign(output, { hasProgress: true, isVerbose: false });
      for (const name of CHANNELS) unsubscribe(name, printExchange);
    },
  };
}

const CHANNELS = ['undici:request:headers', 'undici:request:error'];

function printExchange(message: unknown): void {
  const { request, response, error } = message as Exchange;
  const { method, origin, path } = request;
  process.stderr.write(`${method} ${toPrintable(`${origin}${path}`)}: ${response?.statusCode ?? describeError(error)}\n`);
}
