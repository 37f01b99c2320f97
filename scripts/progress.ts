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
    { format: `${task} {bar} {value}/{total} {note} {left}`, hideCursor: true, clearOnComplete: false, stream: process.stderr },
    Presets.shades_classic,
  );
  const left = createEstimate();
  let started = false;
  return {
    update(done, total, note = '') {
      const payload = { note, left: left(done, total) };
      if (!started) bar.start(total, done, payload);
      started = true;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    ...stopping(() => bar.stop()),
  };
}

function createLines(task: string): Progress {
  const left = createEstimate();
  let printedAt = Date.now();
  return {
    update(done, total, note) {
      const remaining = left(done, total);
      if (Date.now() - printedAt < LINE_INTERVAL_MS) return;
      printedAt = Date.now();
      const parts = [`${task}: ${done} of ${total}`, note, remaining].filter(Boolean);
      process.stderr.write(`${parts.join(', ')}\n`);
    },
    ...stopping(() => undefined),
  };
}

/** What was done in the first seconds says little of the rest. */
const MIN_ELAPSED_MS = 10_000;

/** Returns a function that says how long the rest of a task takes at the pace so far; nothing at its beginning. */
export function createEstimate(now = Date.now): (done: number, total: number) => string {
  let first: { at: number; done: number } | undefined;
  return (done, total) => {
    first ??= { at: now(), done };
    const [elapsed, more] = [now() - first.at, done - first.done];
    if (elapsed < MIN_ELAPSED_MS || more <= 0 || done >= total) return '';
    const minutes = Math.ceil(((elapsed / more) * (total - done)) / 60_000);
    if (minutes <= 1) return 'less than a minute left';
    return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
  };
}
