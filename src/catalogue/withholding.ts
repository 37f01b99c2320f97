/** What an archive withholds from its mirror: the list `withhold` of the config, checked. */
import { z } from 'zod';
import { UsageError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { plainText } from '../model/text.ts';
import { printable } from '../platform/lines.ts';

const id = z.string('must be an object ID such as demo-org-1-2').refine(isObjectId, 'must be an object ID such as demo-org-1-2');
/** One value, or a list of them. */
const oneOrMore = <T extends z.ZodType>(one: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(one).min(1));
const entrySchema = z
  .strictObject({
    /** Records, collections included: each is withheld with everything below it. */
    id: oneOrMore(id).optional(),
    /** The same as `id`, for a collection. */
    collection: oneOrMore(id).optional(),
    /** Names, as the records have them: replaced wherever they stand. */
    person: oneOrMore(z.string('must be a name').trim().min(3, 'must be a name of three characters at least')).optional(),
    /** With `id` or `collection`: only these fields are taken out, and the records stay. */
    fields: oneOrMore(z.string().regex(/^\w{1,100}$/, 'must be the name of a field such as description')).optional(),
    /** Public: it stands on the page that is left in the record's place. */
    reason: z
      .string('must be text: it is public')
      .trim()
      .min(1, 'must be text: it is public')
      .max(1_000, 'must have at most 1,000 characters'),
    date: z.iso.date('must be a date such as 2026-10-01'),
    /** What the record's address answers: a page that says it was withdrawn, and why; or nothing at all. */
    page: z.enum(['notice', 'none'], 'must be “notice” or “none”').default('notice'),
  })
  .refine(
    ({ id: ids, collection, person }) => [ids, collection, person].filter((one) => one !== undefined).length === 1,
    'needs exactly one of “id”, “collection” and “person”',
  )
  .refine(
    ({ fields, person }) => fields === undefined || person === undefined,
    'has “fields”, which belong to an “id” or a “collection”',
  );

/** Why and since when something is withheld. */
export interface Ground {
  /** Plain text, public. */
  reason: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Whether a page is left that says so. */
  notice: boolean;
}

export interface Withholding {
  /** By the ID of a record that is withheld with everything below it. */
  records: ReadonlyMap<string, Ground>;
  /** By the ID of a record: names of fields that are taken out of it. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** By the ID of a collection: names of fields that are taken out of it and of everything below it. */
  fieldsBelow: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of persons. */
  persons: readonly string[];
}

export const NOTHING_WITHHELD: Withholding = { records: new Map(), fields: new Map(), fieldsBelow: new Map(), persons: [] };

/** What is wrong with the list as it stands in the config, a sentence a mistake. */
export function withholdingProblems(list: unknown): string[] {
  const read = z.array(entrySchema).safeParse(list);
  return (read.error?.issues ?? []).map((issue) => {
    const [entry, ...rest] = issue.path.map(String);
    const names = rest.filter((name) => !/^\d+$/.test(name)).map((name) => `“${name}”`);
    const where = entry === undefined ? 'the list' : [`entry ${Number(entry) + 1}`, ...names].join(', ');
    if (issue.code === 'unrecognized_keys')
      return `${where} has ${issue.keys.map((key) => `“${key}”`).join(', ')}, which is no key of an entry.`;
    return `${where} ${/^(?:must|needs|has) /.test(issue.message) ? issue.message : `is not right (${issue.message})`}.`;
  });
}

/** Reads the list as it stands in the config; undefined is an empty one. @throws UsageError that names each mistake */
export function readWithholding(list: unknown): Withholding {
  const problems = list === undefined ? [] : withholdingProblems(list);
  if (problems.length > 0) throw new UsageError(`“withhold”: ${problems.join(' ')}`);
  const records = new Map<string, Ground>();
  const fields = new Map<string, Set<string>>();
  const fieldsBelow = new Map<string, Set<string>>();
  const persons: string[] = [];
  for (const { id: ids, collection, person, fields: names, reason, date, page } of z.array(entrySchema).parse(list ?? [])) {
    const redacted = collection === undefined ? fields : fieldsBelow;
    for (const one of ids ?? collection ?? []) {
      if (names === undefined) records.set(one, { reason: plainText(reason), date, notice: page === 'notice' });
      else redacted.set(one, new Set([...(redacted.get(one) ?? []), ...names]));
    }
    persons.push(...(person ?? []));
  }
  return { records, fields, fieldsBelow, persons };
}

/** What to tell of an entry that finds nothing: a mistyped withdrawal would publish what it means to withhold. */
export function unmatchedLine(entry: string): string {
  return `“withhold” names ${printable(entry, 200)}, which the snapshot does not have: check its spelling.`;
}
