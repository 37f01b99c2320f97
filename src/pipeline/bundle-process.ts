/** Makes Astro's bundle in a process of its own: a process keeps most of the gigabyte that this takes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type PostedError, toError, toPostedError } from '../platform/posted-error.ts';
import { CONTENT_VARIABLE } from '../site/own/content-variable.ts';

const ROLE = 'microfiche-bundle';

/**
 * Makes the bundle of the pages in a directory. `content` is the directory of the own pages, if there are any.
 * @throws {Error} if Astro fails
 */
export async function makeBundleInProcess(directory: string, content?: string): Promise<void> {
  const env = { ...process.env, [CONTENT_VARIABLE]: content === undefined ? '' : resolve(content) };
  const child = fork(import.meta.filename, [ROLE, directory], { execArgv: [], env });
  let failure: PostedError | undefined;
  child.on('message', (message) => {
    failure = message as PostedError;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (child.connected) await once(child, 'disconnect'); // after its last message
  if (failure) throw toError(failure);
  if (code !== 0) throw new Error(`The process that bundles the pages has ended: ${signal ?? `exit code ${code}`}`);
}

const [role, directory] = process.argv.slice(2);
if (process.send && role === ROLE && directory !== undefined) {
  try {
    const { makeBundle } = await import('./make-bundle.ts');
    await makeBundle(directory);
  } catch (error) {
    process.exitCode = 1;
    await new Promise((resolve) => process.send?.(toPostedError(error), resolve));
  }
  process.disconnect();
}
