/** The journal of publishing: written before the first file is moved, so that the next build can complete an interrupted one. */
import { fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL, STAGING } from '../catalogue/own-names.ts';
import { type ManifestLine, manifestLines } from '../client/manifest-lines.ts';
import { type Contained, closing } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';

/** The open journal of a site. */
export interface Journal {
  /** Files that an interrupted publish may have moved into place. */
  owed: ManifestLine[];
  /** Adds, durably, the files that will be moved or deleted. The staging directory must exist. */
  enter(lines: readonly ManifestLine[]): void;
  /** Deletes the journal, because the publish is complete. */
  end(): void;
}

/** Opens the journal of an interrupted publish, or creates one. It also marks the directory as one of ours. */
export function openJournal(inside: Contained): Journal {
  const interrupted = isFile(inside, JOURNAL);
  const owed = interrupted ? manifestLines(readFileSync(inside.at(JOURNAL), 'utf8')) : [];
  if (!interrupted) closing(inside.create(JOURNAL), fsyncSync);
  return {
    owed,
    enter(lines) {
      const partial = `${STAGING}/${JOURNAL}`;
      const text = [...owed, ...lines].map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
      closing(inside.create(partial), (descriptor) => {
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      });
      renameSync(inside.at(partial), join(inside.root, JOURNAL));
    },
    end: () => inside.remove(JOURNAL),
  };
}
