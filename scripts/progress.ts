/** Shows progress on standard error: a bar on a terminal, plain lines now and then elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, total: number, note?: string): void;
  stop(): void;
}

const LINE_EVERY = 5_000;

export function createProgress(what: string, quiet = false): Progress {
  if (quiet) return { update() {}, stop() {} };
  return process.stderr.isTTY ? bar(what) : lines(what);
}

function bar(what: string): Progress {
  const shown = new SingleBar(
    { format: `${what} {bar} {value}/{total} {note}`, hideCursor: true, clearOnComplete: false, stream: process.stderr },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total, note = '') {
      if (!started) shown.start(total, done, { note });
      started = true;
      shown.setTotal(total);
      shown.update(done, { note });
    },
    stop: () => shown.stop(),
  };
}

function lines(what: string): Progress {
  let last = Date.now();
  return {
    update(done, total, note) {
      if (Date.now() - last < LINE_EVERY) return;
      last = Date.now();
      process.stderr.write(`${what}: ${done} of ${total}${note ? `, ${note}` : ''}\n`);
    },
    stop() {},
  };
}
