/** What a publish writes down before it moves the first file, so that one that was killed is known to be ours and is completed by the next build. */
import { fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL, STAGING } from '../catalogue/own-names.ts';
import { type ManifestLine, manifestLines } from '../client/manifest-lines.ts';
import { type Contained, closing } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';

export interface Journal {
  /** What an interrupted publish may have put in place. */
  owed: ManifestLine[];
  /** Adds, durably, what this publish is about to put in place. The staging folder must exist. */
  enter(lines: readonly ManifestLine[]): void;
  /** Nothing is under way any longer. */
  end(): void;
}

/** Opens the journal that an interrupted publish left, or begins one: from then on the folder is known to be ours. */
export function openJournal(inside: Contained): Journal {
  const interrupted = isFile(inside, JOURNAL);
  const owed = interrupted ? manifestLines(readFileSync(inside.at(JOURNAL), 'utf8')) : [];
  if (!interrupted) closing(inside.create(JOURNAL), fsyncSync);
  return {
    owed,
    enter(lines) {
      const part = `${STAGING}/${JOURNAL}`;
      const text = [...owed, ...lines].map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
      closing(inside.create(part), (descriptor) => {
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      });
      renameSync(inside.at(part), join(inside.root, JOURNAL));
    },
    end: () => inside.remove(JOURNAL),
  };
}
