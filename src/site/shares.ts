/** Renders a large site in shares, one process a core: a page depends on the snapshot alone, so it does not matter who renders it. */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../snapshot/archive.ts';
import type { Store } from '../snapshot/store.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import type { BuildContext } from './context.ts';
import { createLedger } from './ledger.ts';
import type { Pictures } from './pictures.ts';
import { createRelations } from './relations.ts';
import { renderPages } from './render.ts';

export interface ShareTask {
  /** The snapshot's folder, absolute. */
  snapshot: string;
  site: string | undefined;
  /** The build's cache folder, absolute. */
  cache: string;
  share: number;
  shares: number;
  pictures: Pictures;
  /** The keys of the last build's pages. */
  previous: Array<[path: string, key: string]>;
}

export interface ShareResult {
  /** Path below dist → file on disk. */
  files: Array<[path: string, file: string]>;
  keys: Array<[path: string, key: string]>;
}

/** What a share's process says when it fails. */
export interface ShareFailure {
  error: string;
  code: string | undefined;
}

/** Objects below which a further process costs more than it gains. */
const WORTH_A_PROCESS = 2_000;

/** Renders all pages in `jobs` processes; where that is undefined, small sites in this process, larger ones in as many as there are cores. */
export async function renderShares(
  task: Omit<ShareTask, 'share' | 'shares'>,
  jobs: number | undefined,
  store: Store,
  catalogue: Catalogue,
): Promise<ShareResult> {
  const shares = jobs ?? Math.max(1, Math.min(availableParallelism(), Math.floor(catalogue.objects.length / WORTH_A_PROCESS)));
  if (shares === 1) return renderShare({ ...task, share: 0, shares }, store, catalogue);
  const results = await Promise.all(Array.from({ length: shares }, (_, share) => renderElsewhere({ ...task, share, shares })));
  return { files: results.flatMap(({ files }) => files), keys: results.flatMap(({ keys }) => keys) };
}

/** Renders one share. Pages without a record of their own belong to the first. */
export async function renderShare(
  { site, cache, share, shares, pictures, previous }: ShareTask,
  store: Store,
  catalogue: Catalogue,
): Promise<ShareResult> {
  const out = join(cache, `site-${share}`);
  const ledger = createLedger({
    previous: new Map(previous),
    exists: (path) => existsSync(join(out, path)),
    mine: (path) => shareOf(path, shares) === share,
  });
  const context: BuildContext = { store, catalogue, relations: createRelations(catalogue), pictures, ledger };
  const paths = await renderPages({ site, out, cache: join(cache, `astro-${share}`) }, context);
  const keys = ledger.keys();
  const files = paths.filter((path) => share === 0 || keys.has(path)).map((path): [string, string] => [path, join(out, path)]);
  return { files, keys: [...keys] };
}

function shareOf(path: string, shares: number): number {
  return shares === 1 ? 0 : createHash('md5').update(path).digest().readUInt32BE() % shares;
}

function renderElsewhere(task: ShareTask): Promise<ShareResult> {
  // A larger nursery: rendering makes much short-lived garbage.
  const child = fork(import.meta.filename, [], {
    execArgv: ['--max-semi-space-size=64'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (answer: ShareResult | ShareFailure) => {
      if ('error' in answer) reject(Object.assign(new Error(answer.error), { code: answer.code }));
      else resolve(answer);
    });
    child.once('exit', (code) => reject(new Error(`A process that renders pages ended with exit code ${code}`)));
    child.send(task);
    endWithParent(child);
  });
}

/** No process of ours outlives the command that began it. */
function endWithParent(child: ChildProcess): void {
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once('message', (task: ShareTask) => {
    void answer(task).then((result) => process.send?.(result, () => process.disconnect()));
  });
}

async function answer(task: ShareTask): Promise<ShareResult | ShareFailure> {
  try {
    const store = openArchive(task.snapshot);
    return await renderShare(task, store, readCatalogue(store));
  } catch (error) {
    return { error: (error as Error).stack ?? String(error), code: (error as NodeJS.ErrnoException).code };
  }
}
