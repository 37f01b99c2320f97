/**
 * Purges a record in a process that is killed: some microseconds after the n-th call that writes to the database or to the disk
 * begins. Arguments: the snapshot, the ID of the record, n, and the microseconds. Prints the number of calls if it was not
 * killed.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

const [snapshot = '', id = '', call = '', microseconds = ''] = process.argv.slice(2);
const signal = new Int32Array(new SharedArrayBuffer(4));
// In another thread, so that it also happens while SQLite is at work.
const killer = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('ready');
  Atomics.wait(workerData.signal, 0, 0);
  const end = performance.now() + workerData.milliseconds;
  while (performance.now() < end);
  process.kill(process.pid, 'SIGKILL');`,
  { eval: true, workerData: { signal, milliseconds: Number(microseconds) / 1000 } },
);
await once(killer, 'message');

let calls = 0;
function counted<F extends (this: never, ...values: never[]) => unknown>(work: F): F {
  return function (this: never, ...values: never[]) {
    if (++calls === Number(call)) {
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
      if (microseconds === '0') for (;;);
    }
    return work.apply(this, values);
  } as F;
}

const { planPurge, purge } = await import('../../src/catalogue/purge.ts');
const { createSnapshot } = await import('../../src/snapshot/store.ts');
const store = createSnapshot(snapshot);
const plan = planPurge(store, [id]);
for (const name of ['rmSync', 'rmdirSync', 'renameSync', 'openSync', 'writeSync', 'fsyncSync'] as const)
  Object.assign(fs, { [name]: counted(fs[name] as never) });
syncBuiltinESMExports();
DatabaseSync.prototype.exec = counted(DatabaseSync.prototype.exec);
for (const name of ['run', 'get'] as const) StatementSync.prototype[name] = counted(StatementSync.prototype[name] as never);
purge(store, plan, { reason: 'by request', now: new Date().toISOString() });
store.close();
console.log(calls);
process.exit(0);
