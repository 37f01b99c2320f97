/** The journal of publishing: written before the first file is moved, so that the next build can complete an interrupted one. */
import { fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE, STAGING_DIRECTORY } from '../catalogue/reserved-names.ts';
import { type ManifestLine, parseManifest } from '../client/manifest-lines.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { type SafeDirectory, usingDescriptor } from '../platform/safe-directory.ts';

/** The open journal of a site. */
export type PublishJournal = ReturnType<typeof openPublishJournal>;

/** Opens the journal of an interrupted publish, or creates one. The journal also marks the directory as a site that Microfiche made. */
export function openPublishJournal(safeDir: SafeDirectory) {
  const interrupted = isRegularFile(safeDir, JOURNAL_FILE);
  const pending = interrupted ? parseManifest(readFileSync(safeDir.resolve(JOURNAL_FILE), 'utf8')) : [];
  if (!interrupted) usingDescriptor(safeDir.create(JOURNAL_FILE), fsyncSync);
  return {
    /** Files that an interrupted publish may have moved into place. */
    pending,
    /** Adds, durably, the files that will be moved or deleted. The staging directory must exist. */
    append(lines: readonly ManifestLine[]) {
      const partial = `${STAGING_DIRECTORY}/${JOURNAL_FILE}`;
      const text = [...pending, ...lines].map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
      usingDescriptor(safeDir.create(partial), (descriptor) => {
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      });
      renameSync(safeDir.resolve(partial), join(safeDir.root, JOURNAL_FILE));
    },
    /** Deletes the journal, because the publish is complete. */
    end: () => safeDir.delete(JOURNAL_FILE),
  };
}
