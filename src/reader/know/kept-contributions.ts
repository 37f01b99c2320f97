/** What a reader has written, in the browser's storage; a kiosk deletes it after each visitor (src/reader/kiosk). */
import type { Contribution, ContributionFile } from '../../formats/contribution.ts';
import { PAGE_PATH } from '../../formats/contribution-link.ts';
import { ofSite, parseList, readPreference, writePreference } from '../browser/preferences.ts';

interface Kept extends Pick<ContributionFile, 'reader' | 'contributions'> {
  /** A text that is not added yet, with the address for which it was begun. */
  draft: { about: string; kind: Contribution['kind']; text: string };
}

/** What is kept if no text was begun. */
export const NO_DRAFT: Kept['draft'] = { about: '', kind: 'names', text: '' };
const NOTHING: Kept = {
  reader: { name: '', contact: '', mayPublish: false, mayShowName: false },
  contributions: [],
  draft: NO_DRAFT,
};
const EXAMPLE: Contribution = {
  ...{ id: '', at: '', kind: 'names', text: '' },
  subject: { kind: 'object', id: '', page: '' },
  record: { title: '', date: '', description: '', credit: '' },
};

/** Whether a value has what an example has, of the same types; of a list, each element. */
function isLike<T>(value: unknown, example: T): value is T {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => isLike(each, example[0]));
  if (typeof example !== 'object' || typeof value !== 'object' || !value || !example) return typeof value === typeof example;
  return Object.entries(example).every(([name, part]) => isLike((value as Record<string, unknown>)[name], part));
}

/** Opens what is kept for the site whose top is at `root`. */
export function openContributions(root: string) {
  const key = ofSite('know', root);
  /** What counts if the browser denies storage, or if another program has written something else to it. */
  let last = NOTHING;
  const read = (): Kept => {
    const [stored] = parseList(readPreference(key));
    const isValid = isLike(stored, { ...NOTHING, contributions: [EXAMPLE] });
    return isValid && stored.contributions.every(({ subject }) => PAGE_PATH.test(subject.page)) ? stored : last;
  };
  const write = (parts: Partial<Kept>) => {
    last = { ...read(), ...parts };
    writePreference(key, JSON.stringify([last]));
  };
  return { read, write, clear: () => write(NOTHING) };
}
