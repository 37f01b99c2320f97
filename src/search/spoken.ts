/** Reads the text of transcripts and glossaries for search, so that what is said in a segment is found as that segment. */
import { join } from 'node:path';
import type { ObjectEntry } from '../catalogue/entries.ts';
import type { Mirrored, MirroredFile } from '../derivatives/mirrored.ts';
import { readCues } from '../model/captions.ts';
import { decodeBody } from '../model/json.ts';
import { LONGEST_FILE_TEXT } from '../model/limits.ts';
import { clean, plainText } from '../model/text.ts';
import { beginningOf } from '../platform/beginning.ts';
import type { Store } from '../snapshot/store.ts';

/** Returns the text of each transcript among a record's file records, as one line, in the order of the files. */
export function spokenIn(files: readonly ObjectEntry[], mirrored: Mirrored, store: Pick<Store, 'dir' | 'view'>): string[] {
  const texts = files.flatMap(({ media }) =>
    media.flatMap(({ kind, url }) => {
      const file = kind === 'transcript' && Object.hasOwn(mirrored, url) ? mirrored[url] : undefined;
      return file ? [textOf(file, store)] : [];
    }),
  );
  return [...new Set(texts)].filter((text) => text !== '');
}

function textOf({ source, mimetype, words }: MirroredFile, { dir, view }: Pick<Store, 'dir' | 'view'>): string {
  const redact = (text: string) => view?.redactText?.(text) ?? text;
  const read = (from: string) => redact(decodeBody(beginningOf(from, LONGEST_FILE_TEXT)));
  if (words !== undefined) return clean(read(words));
  if (!mimetype.startsWith('text/')) return '';
  const text = read(join(dir, source));
  if (mimetype === 'text/html') return plainText(text);
  const cues = mimetype === 'text/vtt' ? readCues(text) : [];
  return cues.length > 0 ? cues.map(({ voice, text: line }) => (voice ? `${voice}: ${line}` : line)).join(' ') : clean(text);
}
