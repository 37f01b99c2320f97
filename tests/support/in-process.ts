/** Runs commands in the process of the tests as if each had a process of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';

/** What a command printed. */
interface Output {
  stdout: string;
  stderr: string;
}

const outputs = new AsyncLocalStorage<Output>();

/** Runs a command, and returns its exit code and what it printed, which goes nowhere else. */
export async function captureOutput(run: () => Promise<number>): Promise<Output & { code: number }> {
  redirect();
  const output = { stdout: '', stderr: '' };
  const code = await outputs.run(output, run);
  return { code, ...output };
}

const STREAMS = { log: 'stdout', info: 'stdout', warn: 'stderr', error: 'stderr' } as const;

const redirected = new WeakSet<object>();

/** Makes the console and both streams add to the output of the command that prints. Vitest replaces the console for each file. */
function redirect(): void {
  if (!redirected.has(console)) {
    redirected.add(console);
    for (const [level, stream] of Object.entries(STREAMS) as [keyof typeof STREAMS, 'stdout' | 'stderr'][]) {
      const print = console[level];
      console[level] = (...values: unknown[]) => {
        const output = outputs.getStore();
        if (output) output[stream] += `${format(...values)}\n`;
        else print.apply(console, values);
      };
    }
  }
  if (redirected.has(process)) return;
  redirected.add(process);
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    stream.write = ((...given: unknown[]) => {
      const output = outputs.getStore();
      if (!output) return write(...given);
      const [chunk] = given;
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
      const done = given.findLast((each) => typeof each === 'function');
      if (done) queueMicrotask(done as () => void);
      return true;
    }) as typeof stream.write;
  }
  for (const stream of [process.stdin, process.stderr]) Object.defineProperty(stream, 'isTTY', { value: false });
}

/** The commands that run in the usual place. */
const running = new Set<Promise<unknown>>();
/** The last command that has a place of its own. */
let elsewhere: Promise<unknown> = Promise.resolve();

/** Where a command runs: a directory, and variables beside those of the tests. */
interface Place {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
}

/** Runs a command in a directory, with variables. One with its own directory runs alone, and waits until the others end. */
export async function inPlace<T>({ cwd, env }: Place, run: () => Promise<T>): Promise<T> {
  if (cwd === undefined && env === undefined) {
    await elsewhere;
    const result = run();
    const settled = Promise.allSettled([result]);
    running.add(settled);
    void settled.then(() => running.delete(settled));
    return result;
  }
  const before = elsewhere;
  const result = (async () => {
    await before;
    await Promise.all(running);
    return enter({ cwd, env }, run);
  })();
  elsewhere = Promise.allSettled([result]);
  return result;
}

async function enter<T>({ cwd = process.cwd(), env = {} }: Place, run: () => Promise<T>): Promise<T> {
  const home = process.cwd();
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  process.chdir(cwd);
  Object.assign(process.env, env);
  try {
    return await run();
  } finally {
    process.chdir(home);
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
