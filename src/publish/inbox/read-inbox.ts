/** Reads the files of contributions that readers sent. They are untrusted: what is wrong with one does not stop the others. */
import { readFileSync, statSync } from 'node:fs';
import { recordAsShown } from '../../catalogue/read/record-as-shown.ts';
import type { VisibleStore } from '../../catalogue/read/visible-store.ts';
import {
  type Contribution,
  ContributionError,
  type ContributionFile,
  type Contributor,
  parseContributions,
  type RecordAsShown,
  type Subject,
} from '../../formats/contribution.ts';
import { describeError } from '../../model/errors.ts';
import { parseRecord } from '../../model/records.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import { readPayload } from '../../snapshot/read.ts';

/** Bytes: more than the largest file that a browser makes. */
const MAX_FILE_BYTES = 16_000_000;

/** A contribution with its reader, the archive that its copy was of, and the file that has it. */
export interface Received extends Omit<Contribution, 'subject'> {
  reader: Contributor;
  archive: ContributionFile['archive'];
  file: string;
}

/** What became of a record since; `unknown` without a snapshot, and of people. */
export type RecordState = 'unchanged' | 'changed' | 'absent' | 'withheld' | 'unknown';

/** The contributions about one subject, in the order of their times. Nothing more is said of what is withheld. */
export interface AboutSubject {
  subject: Pick<Subject, 'kind' | 'id'>;
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

/** Reads files, and those in directories that end in `.json`. Without a store, records are not compared. */
export function readInbox(paths: readonly string[], store: VisibleStore | undefined): Inbox {
  const inbox: Inbox = { files: [], problems: [], subjects: [] };
  const received = new Map<string, Received & Pick<Contribution, 'subject'>>();
  for (const file of paths.flatMap(filesIn)) {
    const content = readFile(file);
    if (typeof content === 'string') inbox.problems.push({ file, problem: content });
    else addContributions(received, file, content);
    if (typeof content !== 'string') inbox.files.push(file);
  }
  const bySubject = Map.groupBy(received.values(), ({ subject }) => `${subject.kind} ${subject.id}`);
  inbox.subjects = [...bySubject].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => describeSubject(group, store));
  return inbox;
}

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return [path];
  return listFiles(path).flatMap(([name, file]) => (name.endsWith('.json') ? [file] : []));
}

/** Returns the content of a file, or a sentence that says why it cannot be used. */
function readFile(file: string): ContributionFile | string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return found ? 'It is not a file.' : 'It does not exist.';
  if (found.size > MAX_FILE_BYTES) return 'It is too large for a file of contributions.';
  try {
    return parseContributions(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof ContributionError) return error.message;
    return describeError(error);
  }
}

/** Adds each contribution once. If readers save their list twice, only what they allow in both files is allowed. */
function addContributions(
  received: Map<string, Received & Pick<Contribution, 'subject'>>,
  file: string,
  { reader, archive, contributions }: ContributionFile,
): void {
  for (const contribution of contributions) {
    // One ID with another content is another contribution: a file must not hide those of other readers.
    const key = JSON.stringify(contribution);
    const known = received.get(key)?.reader ?? reader;
    const mayPublish = known.mayPublish && reader.mayPublish;
    const mayShowName = known.mayShowName && reader.mayShowName;
    received.set(key, { ...contribution, reader: { ...reader, mayPublish, mayShowName }, archive, file });
  }
}

function describeSubject(group: Array<Received & Pick<Contribution, 'subject'>>, store: VisibleStore | undefined): AboutSubject {
  const [{ subject }] = group as [(typeof group)[number]];
  const { kind, id } = subject;
  const contributions = group
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ subject: _, ...contribution }): Received => contribution);
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
