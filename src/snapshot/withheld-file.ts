/** Reads and writes withholding.json of snapshots and sites: what was withheld from what was published, without its names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../model/errors.ts';
import { tryParse } from '../model/json.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { WITHHELD_FILE } from './file-names.ts';
import { readMeta } from './read.ts';
import type { Store } from './store.ts';

/** A larger file was not written by Microfiche. */
const MAX_BYTES = 4 * 1024 * 1024;

const schema = z.object({
  /** Hexadecimal. In a snapshot, the key of the HMACs; in a site, which is public, the SHA-256 of the key. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** HMACs of the entries, hexadecimal and sorted. Without the key, names and IDs cannot be tried until one matches. */
  entries: z.array(z.string().regex(/^[0-9a-f]{16}(?: (?:\*|notice|[0-9a-f]{16}))?$/)),
});

/** The content of the file. */
export type WithheldFile = z.infer<typeof schema>;

/**
 * Reads the file in the directory of a snapshot or site; undefined if there is none.
 * @throws {UserError} if it is not valid
 */
export function readWithheldFile(dir: string): WithheldFile | undefined {
  const { data } = schema.safeParse(readJsonFile(dir, WITHHELD_FILE, MAX_BYTES));
  if (data === undefined && existsSync(join(dir, WITHHELD_FILE)))
    throw new UserError(
      `${join(dir, WITHHELD_FILE)} is damaged, so it is not known what was withheld before. Restore it from a backup. If everything that must be withheld is in "withhold" now, delete it.`,
    );
  return data;
}

/** In the table `meta` of a package: what was withheld when it was made, as a JSON array of such files in the form of a site. */
export const WITHHELD_META_KEY = 'withheld';

/** Returns what was withheld from the package that a snapshot was imported from, by each of those who passed it on. */
export function readPackagedLists(store: Store): WithheldFile[] {
  return z.array(schema).safeParse(tryParse(readMeta(store, WITHHELD_META_KEY) ?? '[]')).data ?? [];
}

/** Replaces the file in a directory. Several builds may do so at once. */
export function writeWithheldFile(dir: string, content: WithheldFile): void {
  const text = `${JSON.stringify(content, undefined, 1)}\n`;
  replaceFile(toSafeDirectory(dir), WITHHELD_FILE, text, `${WITHHELD_FILE}.${process.pid}`);
}
