/** Exports the finding aid of each collection as an EAD3 document. */
import { mkdtempDisposableSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { compareIds } from '../../model/ids.ts';
import { objectFileName } from '../../platform/portability.ts';
import { formatCount } from '../../platform/text-lines.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import type { ExportContext, PackageReport } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE } from '../identity.ts';
import { addFileList } from '../own-files.ts';
import type { PackagedFile } from '../package/manifest.ts';
import type { FileWriter } from '../package/package-writer.ts';
import { createTextFile } from '../text-file.ts';
import { createFindingAidContext } from './ead-context.ts';
import { findingAid } from './ead-document.ts';

/** Writes the export `ead`. */
export async function writeEadExport(context: ExportContext, writer: FileWriter): Promise<PackageReport> {
  const fingerprint = computeFingerprint(context.publicStore, { includesMedia: () => false });
  const digest = await writer.add(IDENTITY_FILE, Buffer.from(formatIdentity({ format: 'ead', fingerprint })));
  const { files, notes } = await writeEad(context, writer, '');
  return { ...(await addFileList(writer, '', [{ path: IDENTITY_FILE, digest }, ...files])), fingerprint, notes };
}

/**
 * Writes the finding aid of each public collection to `<prefix><collection ID>.xml`. Memory does not grow with the number of
 * items. `mediaBase` is the path from there to the snapshot's media files in the same package, with a slash at its end; without
 * it, links are to the live archive.
 */
export async function writeEad(
  context: ExportContext,
  writer: FileWriter,
  prefix: string,
  { mediaBase }: { mediaBase?: string } = {},
) {
  const aids = createFindingAidContext(context, mediaBase);
  const { objects } = context.catalogue;
  const described = objects.count('entity') + objects.count('segment');
  const collections = [...objects.allListed('collection')].sort((a, b) => compareIds(a.id, b.id));
  const total = described + collections.length;
  const written: PackagedFile[] = [];
  const notes: string[] = [];
  let done = 0;
  using directory = mkdtempDisposableSync(join(writer.workDirectory, 'ead-'));
  for (const collection of collections) {
    const file = join(directory.path, 'finding-aid.xml');
    const parts = findingAid(collection, aids, {
      onRecord() {
        done++;
        context.onProgress?.(done, total);
      },
      onProblem: (problem) => void (notes.length < MAX_NOTES && notes.push(problem)),
    });
    await writeParts(file, parts);
    const path = `${prefix}${objectFileName(collection.id)}.xml`;
    written.push({ path, digest: await writer.add(path, { file }) });
    rmSync(file);
  }
  if (done < total)
    notes.push(
      `${formatCount(total - done, 'record')} without a collection or parent in the snapshot ${total - done === 1 ? 'is' : 'are'} in none of the finding aids.`,
    );
  return {
    /** Their paths in the package, with checksums, sorted by collection. */
    files: written,
    /** What could not be written, as sentences. */
    notes,
  };
}

const MAX_NOTES = 100;
/** Parts between two turns of other work, such as adding files to the package. A record has up to three. */
const PARTS_PER_TURN = 200;

/** Writes the parts of a document to a file, so that its size is known. */
async function writeParts(file: string, parts: Iterable<string>): Promise<void> {
  using output = createTextFile(file);
  let count = 0;
  for (const part of parts) {
    if (++count % PARTS_PER_TURN === 0) await setImmediate();
    output.add(part);
  }
  output.finish();
}
