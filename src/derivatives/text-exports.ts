/** Writes what a transcript says in formats in which it was not received: captions and indexes as WebVTT, indexes as OHMS XML. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OHMS_TYPE } from '../model/transcripts/read-transcript.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
import { formatOhms, formatVtt } from '../model/transcripts/write-transcript.ts';
import type { Store } from '../snapshot/store.ts';
import type { CopiedFile, TextExport } from './copied-files.ts';
import type { DerivativeCache } from './derivative-cache.ts';
import { readFileTexts } from './read-text.ts';

/** The list of what was written, in the directory with it. */
const LIST = 'list.json';
/** Media types of files without times. */
const UNTIMED = /^text\/html$|^application\/vnd\./;

/**
 * Returns the exports of a transcript, and their files on disk by their paths in the site.
 * @throws {Error} if the transcript cannot be read
 */
export async function exportTexts(
  transcript: CopiedFile,
  sha256: string,
  store: Pick<Store, 'dir' | 'filter'>,
  cache: DerivativeCache,
): Promise<{ exports: TextExport[]; files: Array<[path: string, file: string]> }> {
  if (UNTIMED.test(transcript.mimetype)) return { exports: [], files: [] };
  // What is withheld now may not have been then.
  const redacted = store.filter?.redactText && listExports(readFileTexts(transcript, store), transcript.mimetype);
  const settings = { recipe: 1, redacted: redacted && createHash('sha256').update(JSON.stringify(redacted)).digest('hex') };
  const { mimetype, charset } = transcript;
  const { file: directory } = await cache.getOrCreate(sha256, { ...settings, mimetype, charset }, '.texts', async (to) => {
    const listed = redacted ?? listExports(readFileTexts(transcript, store), mimetype);
    await mkdir(to);
    for (const { name, content } of listed) await writeFile(join(to, name), content);
    const list = listed.map(({ content, ...each }) => ({ ...each, size: Buffer.byteLength(content) }));
    await writeFile(join(to, LIST), JSON.stringify(list));
  });
  const list = JSON.parse(readFileSync(join(directory, LIST), 'utf8')) as Array<Omit<TextExport, 'path'> & { name: string }>;
  const base = transcript.path.replace(/(\.(?:xml|ttml))\.txt$/, '$1');
  return {
    exports: list.map(({ name, ...each }) => ({ ...each, path: `${base}.${name}` })),
    files: list.map(({ name }) => [`${base}.${name}`, join(directory, name)]),
  };
}

/** Returns what is written of the texts of a file. The names are endings: none is XML, which a browser might run. */
function listExports(texts: readonly TranscriptText[], mimetype: string) {
  return texts.flatMap(({ cues, kind, index }, text) => {
    const same = texts.slice(0, text).filter((other) => other.kind === kind && other.cues.length > 0).length;
    const vtt = `${kind ?? 'captions'}${same === 0 ? '' : `-${same + 1}`}.vtt`;
    const about = { ...(kind && { kind }), text };
    return [
      ...(cues.length > 0 && mimetype !== 'text/vtt'
        ? [{ name: vtt, format: 'WebVTT' as const, ...about, content: formatVtt(cues, kind) }]
        : []),
      ...(index && mimetype !== OHMS_TYPE
        ? [{ name: 'ohms.txt', format: 'OHMS XML' as const, ...about, content: formatOhms(index) }]
        : []),
    ];
  });
}
