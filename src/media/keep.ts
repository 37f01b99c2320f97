/** Puts a received file in its place: verified or quarantined, once for the same bytes, and never half. */
import { mismatchesOf, mismatchLine, provenBy } from '../model/fixity.ts';
import { EMPTY_ANSWER } from '../model/media.ts';
import type { Contained } from '../platform/contained.ts';
import { shortHash } from '../platform/short-hash.ts';
import { mediaFile, placeMedia } from '../snapshot/media-files.ts';
import type { StoredMedia } from '../snapshot/read.ts';
import type { MediaRow, MediaWriter } from '../snapshot/write-media.ts';
import type { WantedFile } from './plan.ts';
import { discard, type ReceivedFile } from './receive.ts';
import { typeProblem, UNKNOWN } from './types.ts';

/** Below the snapshot: files whose bytes are not what upstream says of them. */
export const QUARANTINE = 'quarantine';

/** Judges a whole file and keeps it, or says why not; the row is written when the file is where the row says. @throws UnsafePath */
export function keepFile(
  file: WantedFile,
  { part, measured, type, fetchedAt, status }: ReceivedFile,
  inside: Contained,
  writer: MediaWriter,
): MediaRow {
  const { url, owner, kind, declarations } = file;
  const denied = mismatchesOf(declarations, measured);
  const proven = denied.length === 0 ? provenBy(declarations) : [];
  // What upstream's own checksum proves is what upstream has, whatever it looks like.
  const wrong = proven.length > 0 ? undefined : typeProblem(kind, type, declarations);
  const row: MediaRow = { url, owner, kind, state: 'failed', fetchedAt, status };
  if (wrong !== undefined) {
    discard(file, inside, writer);
    return { ...row, cause: measured.size === 0 ? EMPTY_ANSWER : wrong };
  }
  const { mimetype, extension } = type ?? UNKNOWN;
  const { sha256, size } = measured;
  const kept: MediaRow = { ...row, state: 'stored', sha256, size, mimetype, proven };
  return denied.length > 0
    ? putApart({ ...kept, state: 'quarantined', cause: denied.map(mismatchLine).join('; ') }, file, extension)
    : putOnce(kept, file, extension);

  function putApart(apart: MediaRow, { base }: WantedFile, ending: string): MediaRow {
    const path = `${base.replace(/^media\//, `${QUARANTINE}/`)}.${shortHash(url)}.${ending}`;
    place(path);
    writer.put({ ...apart, path });
    return { ...apart, path };
  }

  /** Of the places that files with these bytes would have, the first one has them: in whatever order they come, the end is the same. */
  function putOnce(whole: MediaRow, { base }: WantedFile, ending: string): MediaRow {
    const same = writer.withSum(sha256).filter((other) => other.url !== url && isThere(other, inside));
    const others = [...new Set(same.map(({ path }) => path as string))].sort();
    const usual = `${base}.${ending}`;
    const own = writer.isTaken(usual, url) && !others.includes(usual) ? `${base}.${shortHash(url)}.${ending}` : usual;
    const [path = own] = [own, ...others].sort();
    place(path); // also where a file is: that one is only said to have these bytes
    // A run that was killed may have left this very file in its own place, without a row.
    const freed = new Set([...others, own].filter((other) => other !== path));
    writer.put({ ...whole, path }, [...freed]);
    return { ...whole, path };
  }

  function place(path: string): void {
    placeMedia(inside, part, path);
    writer.placed(path);
  }
}

/** Whether a stored row's file is there, as long as it should be. */
export function isThere({ path, size }: Pick<StoredMedia, 'path' | 'size'>, inside: Contained): boolean {
  return path !== null && size !== null && mediaFile(inside, path, 'stored')?.size === size;
}
