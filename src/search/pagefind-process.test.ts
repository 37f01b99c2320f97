import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { startPagefind } from './pagefind-process.ts';

/** Starts Pagefind. Returns its process too. */
async function startObserved() {
  const started: ChildProcess[] = [];
  const observe = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', observe);
  const pagefind = await startPagefind('p0').finally(() => unsubscribe('child_process', observe));
  return { pagefind, child: started[0] as ChildProcess };
}

const createDocument = (n: number) => ({
  url: `/${n}`,
  content: Array.from({ length: 300 }, (_, word) => `${n}w${word}`).join(' '),
  language: 'p0',
  meta: {},
});

it('rejects what waits for Pagefind, and every later request, when its process is killed', async () => {
  const { pagefind, child } = await startObserved();
  const added = Array.from({ length: 300 }, (_, n) => pagefind.add(createDocument(n)));
  child.kill('SIGKILL');
  await expect(Promise.all(added)).rejects.toMatchObject({ code: 'PAGEFIND_ENDED' });
  await expect(pagefind.write('nowhere')).rejects.toMatchObject({ code: 'PAGEFIND_ENDED' });
  pagefind.close();
});
