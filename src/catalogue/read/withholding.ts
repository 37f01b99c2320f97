/** Parses the setting `withhold`: what an archive withholds from its site. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { UsageError } from '../../model/errors.ts';
import { isObjectId } from '../../model/ids.ts';
import { checkerOf } from '../../model/setting-problem.ts';
import { toPlainText } from '../../model/text/text.ts';
import { toPrintable } from '../../platform/text-lines.ts';

const ID_MESSAGE = 'must be the ID of a record such as demo-org-1-2';
const id = z.string(ID_MESSAGE).refine(isObjectId, ID_MESSAGE);
const PERSON_MESSAGE = 'must be a name of at least three characters';
const FIELD_MESSAGE = 'must be the name of a field such as description';
const REASON_MESSAGE = 'must be text of at most 1,000 characters: it is public';
/** Accepts one value, or a list of them. Its JSON Schema is given, because the function has none. */
const oneOrMore = <T extends z.ZodType>(schema: T) => {
  const { $schema: _, ...one } = z.toJSONSchema(schema, { io: 'input' });
  return z
    .preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(schema).min(1, 'must have at least one value'))
    .meta({ anyOf: [one, { type: 'array', items: one, minItems: 1 }] });
};
const entrySchema = z
  .strictObject(
    {
      /** IDs of records, collections included. Each is withheld with everything below it. */
      id: oneOrMore(id).optional(),
      /** The same as `id`, for collections. */
      collection: oneOrMore(id).optional(),
      /** Names as the records contain them. They are replaced everywhere. */
      person: oneOrMore(z.string(PERSON_MESSAGE).trim().min(3, PERSON_MESSAGE)).optional(),
      /** Only these fields are removed, and the records remain: those of `id` or `collection`, or else all records. */
      fields: oneOrMore(z.string(FIELD_MESSAGE).regex(/^\w{1,100}$/, FIELD_MESSAGE)).optional(),
      /** Public: it appears on the page that replaces the record's. */
      reason: z.string(REASON_MESSAGE).trim().min(1, REASON_MESSAGE).max(1_000, REASON_MESSAGE),
      date: z.iso.date('must be a date such as 2026-10-01'),
      /** Whether a notice with the reason replaces the record's page. */
      page: z.enum(['notice', 'none'], 'must be "notice" or "none"').default('notice'),
    },
    'must be an entry, as in {"id": "demo-org-1-2", "reason": "…", "date": "2026-10-01"}',
  )
  .refine(({ id: ids, collection, person, fields }) => {
    const targets = [ids, collection, person].filter((target) => target !== undefined).length;
    return targets === 1 || (targets === 0 && fields !== undefined);
  }, 'needs exactly one of "id", "collection" and "person", or "fields" alone')
  .refine(
    ({ fields, person }) => fields === undefined || person === undefined,
    'has "fields", which need an "id" or a "collection"',
  );

/** Why and since when something is withheld. */
export interface Withdrawal {
  /** Plain text, for the public. */
  reason: string;
  /** Date as `YYYY-MM-DD`. */
  date: string;
  /** Whether a page with a notice replaces the record's. */
  notice: boolean;
}

/** In place of an ID: all records. */
export const EVERYWHERE = '*';

/** Everything that the setting withholds. */
export interface Withholding {
  /** Reasons by the ID of a record that is withheld with everything below it. */
  records: ReadonlyMap<string, Withdrawal>;
  /** Names of fields by the ID of the record from which they are removed. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of fields by the ID of the collection from which, and from everything below it, they are removed; or `EVERYWHERE`. */
  fieldsBelow: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of withheld persons. */
  persons: readonly string[];
  /** A checksum of the setting. The order of its entries does not matter. */
  digest: string;
}

/** The value if the setting is absent. */
export const NOTHING_WITHHELD = withDigest({ records: new Map(), fields: new Map(), fieldsBelow: new Map(), persons: [] });

/** The setting. */
export const withholdingSchema = z.array(
  entrySchema,
  'must be a list, as in [{"id": "demo-org-1-2", "reason": "…", "date": "2026-10-01"}]',
);

/**
 * Parses the setting `withhold`; undefined is an empty list.
 * @throws {UsageError} if it has mistakes. The message names each of them.
 */
export function readWithholding(list: unknown): Withholding {
  const problems = list === undefined ? [] : checkerOf('withhold', withholdingSchema)(list);
  if (problems.length > 0) throw new UsageError(problems.map(({ problem }) => problem).join(' '));
  const records = new Map<string, Withdrawal>();
  const fields = new Map<string, Set<string>>();
  const fieldsBelow = new Map<string, Set<string>>();
  const persons: string[] = [];
  for (const { id: ids, collection, person, fields: names, reason, date, page } of withholdingSchema.parse(list ?? [])) {
    const redacted = ids === undefined ? fieldsBelow : fields;
    for (const recordId of ids ?? collection ?? (person === undefined ? [EVERYWHERE] : [])) {
      if (names === undefined) records.set(recordId, { reason: toPlainText(reason), date, notice: page === 'notice' });
      else redacted.set(recordId, new Set([...(redacted.get(recordId) ?? []), ...names]));
    }
    persons.push(...(person ?? []));
  }
  return withDigest({ records, fields, fieldsBelow, persons });
}

/** Formats a warning about an entry that matches nothing: a mistyped one would publish what it is meant to withhold. */
export function unmatchedLine(entry: string): string {
  return `"withhold" names ${toPrintable(entry, 200)}, which is not in the snapshot. Check its spelling.`;
}

function withDigest(withheld: Omit<Withholding, 'digest'>): Withholding {
  const { records, fields, fieldsBelow, persons } = withheld;
  const sorted = (entries: Iterable<unknown>) => [...entries].map((entry) => JSON.stringify(entry)).sort();
  const names = (map: Withholding['fields']) => sorted([...map].map(([id, own]) => [id, [...own].sort()]));
  const all = [sorted(records), names(fields), names(fieldsBelow), [...persons].sort()];
  return { ...withheld, digest: hash('sha256', JSON.stringify(all)) };
}
