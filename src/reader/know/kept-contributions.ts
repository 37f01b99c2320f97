/** What a reader has written, in the browser's storage; a kiosk deletes it after each visitor (src/reader/kiosk). */
import { contribution, contributionKind, contributor, ifValid, list, object, text } from '../../formats/contribution.ts';
import { readPreference, writePreference } from '../browser/preferences.ts';

/** The draft is a text that is not added yet, with the address for which it was begun. */
const keptContributions = object({
  reader: contributor,
  contributions: list(contribution),
  draft: object({ about: text, kind: contributionKind, text }),
});
type Kept = ReturnType<typeof keptContributions>;

/** What is kept if no text was begun. */
export const NO_DRAFT: Kept['draft'] = { about: '', kind: 'names', text: '' };
const NOTHING: Kept = {
  reader: { name: '', contact: '', mayPublish: false, mayShowName: false },
  contributions: [],
  draft: NO_DRAFT,
};

/** Opens what is kept for the site whose top is at `root`: several sites can be on one host. */
export function openContributions(root: string) {
  const key = `know ${new URL(root || '.', document.baseURI).pathname}`;
  /** What counts if the browser denies storage. */
  let last = NOTHING;
  const read = (): Kept => {
    const stored = readPreference(key);
    // Another program may have written something else to the storage.
    return stored === '' ? last : (ifValid(() => keptContributions(JSON.parse(stored), '')) ?? NOTHING);
  };
  const write = (kept: Kept) => {
    last = kept;
    writePreference(key, JSON.stringify(kept));
  };
  return {
    read,
    /** Replaces parts of what is kept. */
    write: (parts: Partial<Kept>) => write({ ...read(), ...parts }),
    clear: () => write(NOTHING),
  };
}
