/** Makes Astro's bundle in a process of its own: a process keeps most of the gigabyte that this takes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { type PostedError, toError, toPostedError } from '../../platform/thread-calls.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import { CONTENT_VARIABLE } from '../../site/own/content-directory.ts';

const ROLE = 'microfiche-bundle';

/**
 * Makes the bundle of the pages in a directory.
 * @throws {UserError} if an own component cannot be compiled
 * @throws {Error} if Astro fails
 */
export async function createBundleInProcess(
  directory: string,
  { content, components }: { content?: string | undefined; components?: ReadComponents | undefined } = {},
): Promise<void> {
  // Astro and Vite make something else for development.
  const env = { ...process.env, NODE_ENV: 'production', [CONTENT_VARIABLE]: content === undefined ? '' : resolve(content) };
  const args = [ROLE, directory, ...(components ? [JSON.stringify(components)] : [])];
  const child = fork(import.meta.filename, args, { execArgv: [], env });
  let failure: PostedError | undefined;
  child.on('message', (message) => {
    failure = message as PostedError;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (child.connected) await once(child, 'disconnect'); // after its last message
  const problem = failure?.details['problem'];
  if (problem !== undefined) throw new UserError(String(problem));
  if (failure) throw toError(failure);
  if (code !== 0) throw new Error(`The process that bundles the pages has ended: ${signal ?? `exit code ${code}`}`);
}

const [role, directory, own] = process.argv.slice(2);
if (process.send && role === ROLE && directory !== undefined) {
  try {
    const { createBundle } = await import('./create-bundle.ts');
    await createBundle(directory, own === undefined ? undefined : (JSON.parse(own) as ReadComponents));
  } catch (error) {
    process.exitCode = 1;
    await new Promise((resolve) => process.send?.(toPostedError(error), resolve));
  }
  process.disconnect();
}
