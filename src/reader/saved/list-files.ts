/** The list of saved items as a file, which opens in another copy of the same archive. */
import { nameByDay, offerFile } from '../browser/offer-file.ts';
import { parseValue } from '../browser/preferences.ts';
import { MAX_ITEMS } from './saved-items.ts';
import { isHeading, type SavedEntry, toEntries } from './saved-list.ts';
import { FIELDS } from './shared-list.ts';

/** What marks a file. */
const MARKER = { format: 'microfiche-saved-items', version: 1 };
const FILE_FIELDS = [...FIELDS, 'note'] as const;
/** Bytes. A full list with the longest notes takes less, unless no browser could keep it. */
const MAX_BYTES = 20_000_000;
/** Characters of the title of an archive. */
const MAX_TITLE = 200;

/** The archive of a file. */
type ListedArchive = Record<'title' | 'url', string>;

/** Returns a list as the text of a file. */
export function formatListFile(entries: readonly SavedEntry[], archive: ListedArchive): string {
  const rows = entries.map((entry) => {
    if (isHeading(entry)) return { heading: entry.heading };
    return Object.fromEntries(FILE_FIELDS.map((field) => [field, entry[field] || undefined]));
  });
  return `${JSON.stringify({ ...MARKER, archive, entries: rows }, null, 2)}\n`;
}

/** Returns the list in a file of an archive, or the title of its archive if that is another one; undefined for any other file. */
export function readListFile(text: string, archive: ListedArchive): SavedEntry[] | string | undefined {
  const file = (parseValue(text) ?? {}) as Record<string, unknown>;
  const { format, version, archive: own, entries } = file;
  if (format !== MARKER.format || version !== MARKER.version || !Array.isArray(entries)) return undefined;
  const { title, url } = (own ?? {}) as Record<string, unknown>;
  // An archive can move, or get another title.
  if (title !== archive.title && url !== archive.url) return String(title ?? url ?? '').slice(0, MAX_TITLE);
  // All else is known from this copy.
  const known = (row: unknown) => {
    const fields = (row ?? {}) as Record<string, unknown>;
    return Object.fromEntries(['heading', ...FILE_FIELDS].map((name) => [name, fields[name]]));
  };
  return toEntries(entries.slice(0, MAX_ITEMS).map(known));
}

/** What is said after a file was opened. */
export interface FileWords {
  /** `#` is the number of what was added, `##` of what was there. */
  opened: string;
  notAFile: string;
  /** `#` becomes the title of another archive. */
  otherArchive: string;
}

/** Sets up the buttons for files. `merge` adds entries to the list of the page, and returns how many it added, or were there. */
export function setUpListFiles(
  archive: ListedArchive,
  words: FileWords,
  entries: () => SavedEntry[],
  merge: (others: readonly SavedEntry[]) => [added: number, known: number],
): void {
  const [input, said] = [document.querySelector<HTMLInputElement>('#file'), document.getElementById('opened')];
  if (!input || !said) return;
  const open = (read: ReturnType<typeof readListFile>) => {
    if (read === undefined) return words.notAFile;
    if (typeof read === 'string') return words.otherArchive.replace('#', () => read);
    const numbers = merge(read);
    return words.opened.replace(/##?/g, (sign) => String(numbers[sign.length - 1]));
  };
  document.getElementById('save-file')?.addEventListener('click', () => {
    offerFile(nameByDay('saved-items', archive.title), 'application/json', formatListFile(entries(), archive));
  });
  document.getElementById('open-file')?.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    const text = file && file.size <= MAX_BYTES ? file.text() : Promise.resolve('');
    void text.then((content) => {
      said.textContent = open(readListFile(content, archive));
      said.hidden = false;
      input.value = ''; // the same file can be opened again
    });
  });
}
