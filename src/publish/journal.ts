/** What a publish writes down before it moves the first file, so that one that was killed is known to be ours and is completed by the next build. */
import { fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contained, closing, containedIn, UnsafePath } from '../platform/contained.ts';
import { type ManifestLine, manifestLines } from '../site/manifest-lines.ts';

/** In the site's folder while a publish moves files, and where one was interrupted. Lines as in the manifest: what that publish may have put in place. */
export const JOURNAL = '.microfiche-journal.txt';
/** The new files, before they are moved in. */
export const STAGING = '.microfiche-new';
/** Held by the build that writes into the folder. */
export const LOCK = '.microfiche-lock';
/** Names in a site's folder that are the builds' own and are never published. */
export const OWN_NAMES: ReadonlySet<string> = new Set([JOURNAL, STAGING, LOCK]);

export interface Journal {
  /** What an interrupted publish may have put in place. */
  owed: ManifestLine[];
  /** Adds, durably, what this publish is about to put in place. The staging folder must exist. */
  enter(lines: readonly ManifestLine[]): void;
  /** Nothing is under way any longer. */
  end(): void;
}

/** Whether a publish into this folder was interrupted. A link, or anything else that is no regular file, is no journal. */
export function wasInterrupted(out: string): boolean {
  return isFile(containedIn(out), JOURNAL);
}

/** Whether a regular file is at `path`: a symbolic link is none. */
export function isFile(inside: Contained, path: string): boolean {
  try {
    return inside.stat(path) !== undefined;
  } catch (error) {
    if (error instanceof UnsafePath) return false;
    throw error;
  }
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
