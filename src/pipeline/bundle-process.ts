/** Makes Astro's bundle in a process of its own: a process keeps most of the gigabyte that this takes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type PostedError, toError, toPostedError } from '../platform/posted-error.ts';

const ROLE = 'microfiche-bundle';

/**
 * Makes the bundle of the pages in a directory.
 * @throws {Error} if Astro fails
 */
export async function makeBundleInProcess(directory: string): Promise<void> {
  const child = fork(import.meta.filename, [ROLE, directory], { execArgv: [] });
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
