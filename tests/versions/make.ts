/**
 * Creates a snapshot with an earlier commit of Microfiche: `node tests/versions/make.ts CHECKOUT NAME`. CHECKOUT is a work tree of the commit
 * that README.md names. The result is committed once and never created again.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { COLLECTION, fill, startArchive } from './archive.ts';

const [checkout = '', name = ''] = process.argv.slice(2);
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'microfiche-version-'));
const snapshot = join(directory, 'snapshot');

async function microfiche(...args: string[]): Promise<void> {
  const env = { ...process.env, XDG_STATE_HOME: join(directory, 'state') };
  const done = await run(process.execPath, [join(checkout, 'scripts/microfiche.ts'), ...args, '--snapshot', snapshot], {
    cwd: directory,
    env,
  }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  console.log(args.join(' '), 'code' in done ? `exits ${done.code}` : '');
  console.log(`${done.stdout}${done.stderr}`.replace(/^/gm, '  '));
}

async function has(command: string, option: string): Promise<boolean> {
  const { stdout } = await run(process.execPath, [join(checkout, 'scripts/microfiche.ts'), command, '--help']);
  return stdout.includes(option);
}

const upstream = await startArchive(1, { shared: true });
try {
  const kinds = (await has('media', 'original')) ? 'thumb,image,audio,video,transcript,original' : 'thumb,image';
  const harvest = ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--root', 'demo'];
  for (const year of [1, 2, 3] as const) {
    await fill(upstream, year);
    await microfiche(...harvest, ...(year === 1 ? [] : ['--full']));
    await microfiche('media', '--kinds', kinds);
  }
  if (existsSync(join(checkout, 'scripts/purge.ts')))
    await microfiche('purge', `${COLLECTION}-6`, '--reason', 'By the sitter’s wish', '--yes');
  await microfiche('status');
} finally {
  await upstream.close();
}
const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
db.exec('VACUUM');
db.close();
const out = join(import.meta.dirname, name);
rmSync(join(snapshot, 'lock.sqlite'), { force: true });
rmSync(out, { recursive: true, force: true });
cpSync(snapshot, out, { recursive: true });
rmSync(directory, { recursive: true });
