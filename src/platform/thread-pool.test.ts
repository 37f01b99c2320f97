import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createSharedDirectory } from '../../tests/support/commands.ts';
import { runInThreads } from './thread-pool.ts';

let module: string;

beforeAll(() => {
  const { path, remove } = createSharedDirectory();
  module = join(path, 'squares.ts');
  const pool = new URL('./thread-pool.ts', import.meta.url).href;
  writeFileSync(
    module,
    `import { setTimeout } from 'node:timers/promises';
    import { appendFileSync } from 'node:fs';
    import { doTasks } from '${pool}';
    doTasks('squares', ({ log }) => async ({ number }) => {
      await setTimeout(20);
      if (number < 0) throw new RangeError('a negative number');
      appendFileSync(log, number + ' ');
      return number * number;
    });`,
  );
  return remove;
});

const run = (numbers: number[], onResult?: (result: number) => void) => {
  const program = { module, role: 'squares', setting: { log: join(module, '../log.txt') } };
  const tasks = numbers.map((number) => ({ number }));
  return runInThreads<{ log: string }, { number: number }, number>(2, program, tasks, onResult ? { onResult } : {});
};

it('does each task once', async () => {
  const results: number[] = [];
  await run([1, 2, 3, 4, 5], (result) => void results.push(result));
  expect(results.toSorted((a, b) => a - b)).toEqual([1, 4, 9, 16, 25]);
});

it('has done all tasks when it ends, also if nothing listens to the results', async () => {
  const log = join(module, '../log.txt');
  rmSync(log, { force: true });
  await run([1, 2, 3]);
  expect(readFileSync(log, 'utf8').trim().split(' ').sort()).toEqual(['1', '2', '3']);
});

it('fails with the error of a task', async () => {
  await expect(run([1, -1, 2])).rejects.toThrow('a negative number');
});
