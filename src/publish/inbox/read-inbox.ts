/** Reads the files of contributions that readers sent. They are untrusted: what is wrong with one does not stop the others. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { recordAsShown } from '../../catalogue/read/record-as-shown.ts';
import type { VisibleStore } from '../../catalogue/read/visible-store.ts';
import { type Contribution, type ContributionFile, contributionFile, type RecordAsShown } from '../../formats/contribution.ts';
import { MARKER } from '../../formats/contribution-link.ts';
import { describeError, UserError } from '../../model/errors.ts';
import { tryParse } from '../../model/json.ts';
import { parseRecord } from '../../model/records.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import { readPayload } from '../../snapshot/read.ts';

/** Bytes: more than the largest file that a browser makes. */
const MAX_FILE_BYTES = 16_000_000;

/** A contribution with its reader, the archive that its copy was of, and the file that has it. */
type Given = Contribution & Pick<ContributionFile, 'reader' | 'archive'> & { file: string };
/** The same below its subject. */
export type Received = Omit<Given, 'subject'>;

/** What became of a record since; `unknown` without a snapshot, and of people. */
export type RecordState = 'unchanged' | 'changed' | 'absent' | 'withheld' | 'unknown';

/** The contributions about one subject, in the order of their times. Nothing more is said of what is withheld. */
export interface AboutSubject {
  subject: Pick<Contribution['subject'], 'kind' | 'id'>;
  state: RecordState;
  count: number;
  contributions: Received[];
  /** The record as it is now, if it changed. */
  now?: RecordAsShown;
}

/** What was read. */
export interface Inbox {
  files: string[];
  problems: Array<{ file: string; problem: string }>;
  subjects: AboutSubject[];
}

/**
 * Reads files, and those in directories that end in `.json`. Without a store, records are not compared. Each contribution is
 * listed once; if readers save their list twice, only what they allow in both files is allowed.
 */
export function readInbox(paths: readonly string[], store: VisibleStore | undefined): Inbox {
  const inbox: Inbox = { files: [], problems: [], subjects: [] };
  const received = new Map<string, Given>();
  for (const file of paths.flatMap(filesIn))
    try {
      const { reader, archive, contributions } = readFile(file);
      for (const contribution of contributions) {
        // With another content or reader, it is another contribution: a file must not hide or take over those of others.
        const key = JSON.stringify([contribution, reader.name, reader.contact]);
        const known = received.get(key)?.reader ?? reader;
        const mayPublish = known.mayPublish && reader.mayPublish;
        const mayShowName = known.mayShowName && reader.mayShowName;
        received.set(key, { ...contribution, reader: { ...reader, mayPublish, mayShowName }, archive, file });
      }
      inbox.files.push(file);
    } catch (error) {
      inbox.problems.push({ file, problem: describeError(error) });
    }
  const bySubject = Map.groupBy(received.values(), ({ subject }) => `${subject.kind} ${subject.id}`);
  inbox.subjects = [...bySubject].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => describeSubject(group, store));
  return inbox;
}

function filesIn(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return listFiles(path).flatMap(([name, file]) => (name.endsWith('.json') ? [file] : []));
}

function readFile(file: string): ContributionFile {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UserError(found ? 'It is not a file.' : 'It does not exist.');
  if (found.size > MAX_FILE_BYTES) throw new UserError('It is too large for a file of contributions.');
  return parseContributions(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
}

function describeSubject(group: Given[], store: VisibleStore | undefined): AboutSubject {
  const [{ subject }] = group as [Given];
  const { kind, id } = subject;
  const contributions = group.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ subject: _, ...received }) => received);
  const about = { subject: { kind, id }, count: group.length, contributions };
  if (!store || kind === 'person') return { ...about, state: 'unknown' };
  if (store.filter.hides('object', id)) return { ...about, state: 'withheld', contributions: [] };
  const payload = readPayload(store, 'object', id);
  const record = payload === undefined ? undefined : parseRecord(payload);
  if (!record) return { ...about, state: 'absent' };
  const now = recordAsShown(record);
  const isChanged = contributions.some((each) => JSON.stringify(each.record) !== JSON.stringify(now));
  return isChanged ? { ...about, state: 'changed', now } : { ...about, state: 'unchanged' };
}

/**
 * Returns the content of a file.
 * @throws {UserError} with one sentence that says why it is none
 */
export function parseContributions(json: string): ContributionFile {
  const value = tryParse(json);
  if (value === undefined) throw new UserError('It is not JSON.');
  const { format, version } = check(z.looseObject({}, 'an object'), value);
  if (format !== MARKER.format) throw new UserError('It is not a file of contributions.');
  if (version !== MARKER.version) throw new UserError('A later version of Microfiche wrote it. Read it with that one.');
  return check(contributionFile, value);
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!issue) return data as T;
  const at = z.core.toDotPath(issue.path);
  throw new UserError(`${at === '' ? 'It' : `"${at}"`} is not ${issue.message}.`);
}
