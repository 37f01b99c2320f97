/** Parses the people whom a record names: who made it and whom it mentions, one entry each (docs/upstream-api.md, “People”). */
import { splitNames } from '../names/name-lists.ts';
import { findRole, isExchanged, isRoleWord, roleOf } from '../names/roles.ts';
import { MAX_LIST_MEMBERS } from '../text/limits.ts';
import { toPlainText } from '../text/text.ts';
import { elementsOf, fields, isObject, isPlaceholder, list, number, type Reader, stated, text } from '../values.ts';

/** Someone whom a record mentions. */
export interface Person {
  namepart: string;
  /** ID of the name record. */
  nr_id: string | undefined;
  /** Number of the narrator, if any. */
  oh_id: number | undefined;
}

/** A person or organization that made an item. */
export type Creator = Person & { role: string | undefined };

const personFields = fields({ role: text, oh_id: number, id: number, narrator_id: number, nr_id: text });
type PersonFields = Partial<ReturnType<typeof personFields>>;

/** Parses a name: of an object, or a text, also in several languages. */
const name: Reader<string | undefined> = (value) =>
  (isObject(value) ? (stated(value['namepart']) ?? stated(value['name'])) : undefined) ?? stated(value);

/** Parses a creator. Corrects records that have `namepart` and `role` exchanged (docs/upstream-api.md, “People”). */
const creator: Reader<Creator | undefined> = (value) => {
  const { role, oh_id, id, narrator_id, nr_id }: PersonFields = personFields(value) ?? {};
  const [namepart, ownRole] = isExchanged(name(value), role) ? [role, name(value)] : [name(value), role];
  // Older records have the number of a narrator under other names. The `id` of anyone else is not that of a narrator.
  const number = oh_id ?? narrator_id ?? (roleOf(ownRole).citation === 'interviewee' ? id : undefined);
  return namepart === undefined ? undefined : { namepart, role: ownRole, oh_id: number, nr_id };
};

const person: Reader<Person | undefined> = (value) => {
  const { nr_id, oh_id }: PersonFields = personFields(value) ?? {};
  const namepart = name(value);
  return namepart === undefined ? undefined : { namepart, nr_id, oh_id };
};

/** Parses the field `creators`. */
export const creators: Reader<Creator[]> = (value) => separatePeople(list(creator)(withPairs(value)));
/** Parses the field `persons`. */
export const persons: Reader<Person[]> = (value) => separatePeople(list(person)(withPairs(value)));

/** Returns people with those as objects that a text has as pairs: “namepart:Ota, Ken|nr_id:1/2;namepart:Abe, Jo”. */
function withPairs(value: unknown): unknown[] {
  return (elementsOf(value) ?? [value]).flatMap((each: unknown): unknown[] => {
    if (typeof each !== 'string' || !/^\s*namepart\s*:/.test(each)) return [each];
    const pairs = (one: string) => one.split('|').map((pair) => /^\s*(\w+)\s*:\s*(.*)$/s.exec(pair)?.slice(1) ?? ['', '']);
    return each.split(/;\s*(?=namepart\s*:)/).map((one) => Object.fromEntries(pairs(one)));
  });
}

/** Returns the lines of a text. Upstream also writes the end of a line as a backslash and a letter. */
export function linesOf(value: string): string[] {
  return value
    .split(/\\r\\n|\\n|\r\n|\n|\r|<br\b[^<>]*>/i)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const PERSONAL_ROLES: ReadonlySet<string> = new Set(['narrator', 'interviewer', 'photographer', 'videographer']);

/** Returns an entry for each name. A role where a name is expected names no one. */
function separatePeople<T extends Person & { role?: string | undefined }>(people: T[]): T[] {
  return people
    .flatMap((one): T[] => {
      // An ID belongs to one person.
      if (one.oh_id !== undefined || one.nr_id !== undefined) return [{ ...one, namepart: linesOf(one.namepart).join('; ') }];
      const arePersons = !('role' in one) || PERSONAL_ROLES.has(findRole(one.role)?.name ?? '');
      return linesOf(one.namepart).flatMap((line) => namesIn(line, arePersons).map((namepart) => ({ ...one, namepart })));
    })
    .filter(({ namepart }) => !isRoleWord(namepart) && !saysNoOne(namepart))
    .slice(0, MAX_LIST_MEMBERS);
}

/** Whether a name says that there is none. “Unknown” says that there was someone, and Nan and Null are names. */
const saysNoOne = (name: string) => isPlaceholder(name) && /[/ ]/.test(name) && !/unknown|desconocid/i.test(name);

function namesIn(line: string, arePersons: boolean): string[] {
  const names = line.includes('<') ? [] : splitNames(toPlainText(line), { arePersons });
  return names.length > 1 ? names : [line];
}

/** Gives a record's only narrator without an ID the number that the record itself has as `narrator_id`. */
export function withNarratorNumber<T extends Creator>(people: T[], narratorId: number | undefined): T[] {
  if (narratorId === undefined || people.some(({ oh_id }) => oh_id === narratorId)) return people;
  const narrators = people.filter(({ role }) => roleOf(role).citation === 'interviewee');
  const [only, ...others] = narrators.filter(({ oh_id }) => oh_id === undefined);
  return only && others.length === 0 ? people.map((one) => (one === only ? { ...one, oh_id: narratorId } : one)) : people;
}

/** Returns the numbers of the narrators among people, each once. */
export function narratorNumbers(people: readonly Person[]): string[] {
  return [...new Set(people.flatMap(({ oh_id }) => (oh_id === undefined ? [] : [String(oh_id)])))];
}
