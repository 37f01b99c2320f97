/** What an archive withholds from its mirror: the list `withhold` of the config, checked. */
import { z } from 'zod';
import { UsageError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { plainText } from '../model/text.ts';

const id = z.string().refine(isObjectId, 'must be an object ID such as demo-org-1-2');
const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one.transform((value) => [value]), z.array(one).min(1)]);
const entrySchema = z
  .strictObject({
    /** Records, collections included: each is withheld with everything below it. */
    id: oneOrMore(id).optional(),
    /** The same as `id`, for a collection. */
    collection: oneOrMore(id).optional(),
    /** Names, as the records have them: replaced wherever they stand. */
    person: oneOrMore(z.string().trim().min(3)).optional(),
    /** With `id` or `collection`: only these fields are taken out, and the records stay. */
    fields: oneOrMore(z.string().regex(/^\w{1,100}$/, 'must be the name of a field such as description')).optional(),
    /** Public: it stands on the page that is left in the record's place. */
    reason: z.string().trim().min(1).max(1_000),
    date: z.iso.date(),
    /** What the record's address answers: a page that says it was withdrawn, and why; or nothing at all. */
    page: z.enum(['notice', 'none']).default('notice'),
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
  /** By the ID of a record (or of what it is below): names of fields that are taken out. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of persons. */
  persons: readonly string[];
}

export const NOTHING_WITHHELD: Withholding = { records: new Map(), fields: new Map(), persons: [] };

/** What is wrong with the list as it stands in the config, a sentence a mistake. */
export function withholdingProblems(list: unknown): string[] {
  const read = z.array(entrySchema).safeParse(list);
  return (read.error?.issues ?? []).map(({ path, message }) => {
    const [entry, ...rest] = path.map(String);
    const where =
      entry === undefined ? 'the list' : [`entry ${Number(entry) + 1}`, ...rest.map((name) => `“${name}”`)].join(', ');
    return `${where} ${/^(?:must|needs|has) /.test(message) ? message : `is not right (${message})`}.`;
  });
}

/** Reads the list as it stands in the config; undefined is an empty one. @throws UsageError that names each mistake */
export function readWithholding(list: unknown): Withholding {
  const problems = list === undefined ? [] : withholdingProblems(list);
  if (problems.length > 0) throw new UsageError(`“withhold”: ${problems.join(' ')}`);
  const records = new Map<string, Ground>();
  const fields = new Map<string, Set<string>>();
  const persons: string[] = [];
  for (const { id: ids, collection, person, fields: names, reason, date, page } of z.array(entrySchema).parse(list ?? [])) {
    for (const one of ids ?? collection ?? []) {
      if (names === undefined) records.set(one, { reason: plainText(reason), date, notice: page === 'notice' });
      else fields.set(one, new Set([...(fields.get(one) ?? []), ...names]));
    }
    persons.push(...(person ?? []));
  }
  return { records, fields, persons };
}
