/** Makes files that browsers play of recordings that they do not play, with ffmpeg: MP4 with H.264 and AAC. */
import { renameSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import type { FileFailure } from '../media/media-report.ts';
import { isPlayable } from '../model/media/media.ts';
import { MAX_FILE_BYTES } from '../platform/portability.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';
import { readMediaRows } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import { deleteObsoleteWebFiles, readWebFiles, WEB_DIRECTORY } from '../snapshot/web-files.ts';
import { FFMPEG_QUIET, ffmpegInputArguments, isReadable, runTool } from './tools.ts';

/** A day of work for one recording. */
const TIMEOUT_MS = 86_400_000;
const AUDIO = ['-map', '0:a:0?', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'];
/** At most 1,280 square pixels wide, with even sides. */
const SIZE = "scale=w='trunc(min(1280,iw*sar)/2)*2':h='trunc(ow/dar/2)*2',setsar=1";
const VIDEO = ['-map', '0:v:0?', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-vf', SIZE];
const OUTPUT = `-map_metadata -1 -fflags +bitexact -movflags +faststart -y -fs ${MAX_FILE_BYTES} -f mp4`.split(' ');

/** Makes a file for each recording whose record has none that browsers play. `onProgress` counts recordings. */
export async function createWebFiles(store: Store, onProgress?: (done: number, total: number) => void) {
  deleteObsoleteWebFiles(store);
  const present = readWebFiles(store.dir);
  const recordings = listUnplayable(store);
  const missing = recordings.filter(({ sha256 }) => !present.has(sha256 as string));
  const failures: FileFailure[] = [];
  let done = 0;
  const create = async (row: StoredMedia) => {
    try {
      await createWebFile(store.dir, row);
    } catch (error) {
      failures.push({ url: row.url, owner: row.owner, cause: (error as Error).message });
    }
    onProgress?.(++done, missing.length);
  };
  await pMap(missing, create, { concurrency: availableParallelism() });
  return { made: missing.length - failures.length, present: recordings.length - missing.length, failures };
}

/** Returns the recordings that ffmpeg reads, one of each record of which no stored file plays. */
function listUnplayable(store: Store): StoredMedia[] {
  const rows = readMediaRows(store).filter(({ state, path, sha256 }) => state === 'stored' && path !== null && sha256 !== null);
  const chosen = [...Map.groupBy(rows, ({ owner }) => owner).values()].flatMap((own) => {
    const recordings = own.filter(({ mimetype }) => /^(?:audio|video)\//.test(mimetype ?? ''));
    if (recordings.some(({ mimetype }) => isPlayable(mimetype ?? ''))) return [];
    return recordings.filter(({ mimetype }) => isReadable(mimetype ?? '')).slice(0, 1);
  });
  return [...new Map(chosen.map((row) => [row.sha256, row])).values()];
}

async function createWebFile(dir: string, { path, sha256, mimetype }: StoredMedia): Promise<void> {
  const safeDir = toSafeDirectory(dir);
  const input = ffmpegInputArguments(safeDir.resolve(path as string), mimetype ?? '');
  const isVideo = mimetype?.startsWith('video/');
  safeDir.createDirectory(WEB_DIRECTORY);
  const partial = `${WEB_DIRECTORY}/${sha256}.part`;
  safeDir.delete(partial);
  const to = `file:${safeDir.resolve(partial)}`;
  const output = ['-threads', '1', ...(isVideo ? VIDEO : ['-vn']), ...AUDIO, ...OUTPUT, to];
  using cleaning = new DisposableStack();
  cleaning.defer(() => safeDir.delete(partial)); // it has its name by then, unless something failed
  await runTool('ffmpeg', [...FFMPEG_QUIET, ...input, ...output], 0, () => undefined, TIMEOUT_MS);
  // ffmpeg ends there, without an error.
  if ((safeDir.stat(partial)?.size ?? 0) > MAX_FILE_BYTES * 0.99) throw new Error('the file would be larger than 4 GB');
  const own = await sha256OfFile(safeDir.resolve(partial));
  renameSync(safeDir.resolve(partial), join(safeDir.root, WEB_DIRECTORY, `${sha256}-${own}.${isVideo ? 'mp4' : 'm4a'}`));
}
