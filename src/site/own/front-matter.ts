/** The front matter of own pages and exhibits, checked. */
import { z } from 'zod';
import { isObjectId } from '../../model/ids.ts';

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_LABEL = 40;
const text = (max: number) => {
  const message = `must be text of at most ${max} characters`;
  return z
    .string({
      error({ input }) {
        if (input === null) return 'is empty: write a text';
        return typeof input === 'object' ? `${message}, not a list` : `${message}. Put numbers in quotation marks, as in "1942"`;
      },
    })
    .trim()
    .min(1, 'must not be empty')
    .max(max, message);
};
const MENU_MESSAGE = `must be true, false, or a label of at most ${MAX_LABEL} characters`;
/** Words that are meant as true or false. YAML reads the first four as text. */
const LIKE_BOOLEAN = /^(?:yes|no|on|off|true|false)$/i;
const DATE_MESSAGE = 'must be a date such as 2026-05-01';

/** Astro's reader of front matter makes an object of a date. */
const date = z
  .union([z.string(), z.date()], DATE_MESSAGE)
  .transform((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value))
  .refine((value) => /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value), DATE_MESSAGE);

/** The front matter of a page or an exhibit. */
export const frontMatterSchema = z.strictObject({
  title: text(MAX_TITLE),
  description: text(MAX_DESCRIPTION).optional(),
  menu: z
    .union([z.boolean(), text(MAX_LABEL)], MENU_MESSAGE)
    .refine((menu) => typeof menu === 'boolean' || !LIKE_BOOLEAN.test(menu), MENU_MESSAGE)
    .optional(),
  order: z.number('must be a number').optional(),
  date: date.optional(),
  image: z.string('must be the ID of a record').refine(isObjectId, 'must be the ID of a record such as demo-org-1-2').optional(),
  draft: z.boolean('must be true or false').optional(),
});

/** The front matter of a page or an exhibit, checked. */
export type FrontMatter = z.infer<typeof frontMatterSchema>;

/** A mistake in front matter: the field, if it is there, and the end of a sentence that begins with its name. */
export interface FrontMatterProblem {
  field: string | undefined;
  problem: string;
}

/** Returns the mistakes in front matter, the first one of each field. */
export function findFrontMatterProblems(value: unknown): FrontMatterProblem[] {
  const issues = frontMatterSchema.safeParse(value).error?.issues ?? [];
  const problems = issues.flatMap((issue): FrontMatterProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = Object.keys(frontMatterSchema.shape).join(', ');
      return issue.keys.map((key) => {
        return { field: key, problem: `the field "${key}" does not exist in front matter. The fields are ${known}.` };
      });
    }
    const field = issue.path[0] === undefined ? undefined : String(issue.path[0]);
    if (field === undefined) return [{ field, problem: 'front matter must have fields, as in "title: The quay".' }];
    const isMissing = field === 'title' && (value as Record<string, unknown>)['title'] === undefined;
    const problem = isMissing
      ? 'the title is missing: write it between lines of three dashes, as in "title: The quay".'
      : `"${field}" ${issue.message}.`;
    return [{ field: isMissing ? undefined : field, problem }];
  });
  return problems.filter(({ field }, i) => problems.findIndex((other) => other.field === field) === i);
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
