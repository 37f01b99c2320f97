/** Prints progress on standard error: a bar on a terminal, a line every few seconds elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import { output } from './output.ts';

/** The progress of one task. */
export interface Progress extends Disposable {
  /** Prints the progress, and a note such as a size. */
  update(done: number, total: number, note?: string): void;
  stop(): void;
}

const LINE_INTERVAL_MS = 5_000;

/** Returns a progress display for a task. It prints nothing if `quiet`, and no bar for NO_COLOR and beside other lines. */
export function createProgress(task: string, quiet = false): Progress {
  if (quiet || !output.hasProgress) return { update() {}, ...stopping(() => undefined) };
  const { NO_COLOR, TERM } = process.env;
  return process.stderr.isTTY && !NO_COLOR && TERM !== 'dumb' && !output.isVerbose ? createBar(task) : createLines(task);
}

const stopping = (stop: () => void) => ({ stop, [Symbol.dispose]: stop });

function createBar(task: string): Progress {
  const bar = new SingleBar(
    { format: `${task} {bar} {value}/{total} {note}`, hideCursor: true, clearOnComplete: false, stream: process.stderr },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total, note = '') {
      if (!started) bar.start(total, done, { note });
      started = true;
      bar.setTotal(total);
      bar.update(done, { note });
    },
    ...stopping(() => bar.stop()),
  };
}

function createLines(task: string): Progress {
  let printedAt = Date.now();
  return {
    update(done, total, note) {
      if (Date.now() - printedAt < LINE_INTERVAL_MS) return;
      printedAt = Date.now();
      process.stderr.write(`${task}: ${done} of ${total}${note ? `, ${note}` : ''}\n`);
    },
    ...stopping(() => undefined),
  };
}
