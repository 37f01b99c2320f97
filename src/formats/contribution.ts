/** What readers give back: the file that their browser makes of it and `microfiche inbox` reads. */
import { z } from 'zod';
import * as link from './contribution-link.ts';

// Messages say what a value is not.
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape, 'an object');
const text = (max: number) => z.string(`a text of at most ${max} characters`).max(max, `a text of at most ${max} characters`);
const textLike = (pattern: RegExp, expected: string) => z.string(expected).max(link.MAX_FACT, expected).regex(pattern, expected);
const number = (max: number) => {
  const expected = `a number from 0 to ${max}`;
  return z.number(expected).min(0, expected).max(max, expected);
};
const oneOf = <const T extends readonly string[]>(choices: T) => z.enum(choices, `one of ${choices.join(', ')}`);
const fact = text(link.MAX_FACT).default('');
const consent = z.boolean().catch(false);

/** A thing that a reader knows, with what the page said of its subject; of a recording, perhaps with the moment in seconds. */
const contribution = object({
  id: textLike(/^[0-9a-f]{32}$/, 'an ID of 32 hexadecimal digits'),
  at: z.iso.datetime('a time in UTC'),
  /** A record or person: the ID or slug, and the path of the page below the top of its language. */
  subject: object({
    kind: oneOf(['object', 'person']),
    id: textLike(/\S/, 'an ID'),
    page: textLike(link.PAGE_PATH, 'the path of a page'),
  }),
  record: object({ title: fact, date: fact, description: fact, credit: fact }),
  moment: number(link.MAX_MOMENT).optional(),
  kind: oneOf(link.CONTRIBUTION_KINDS),
  text: text(link.MAX_STORY).regex(/\S/, 'a text with words'),
  /** A place in an image, in fractions of its width and height from the upper left corner; the file is a path in the site. */
  mark: object({
    file: textLike(link.IMAGE_PATH, 'the path of an image'),
    ...{ x: number(1), y: number(1), width: number(1), height: number(1) },
  }).optional(),
});
/** One thing that a reader knows. */
export type Contribution = z.infer<typeof contribution>;
/** What the page said of its subject, in short plain texts; empty if it said nothing. */
export type RecordAsShown = Contribution['record'];

/** The content of a file. */
export const contributionFile = object({
  archive: object({ title: fact, url: fact, harvestedAt: fact }),
  /** Who the reader is, as far as they say, and what they allow. */
  reader: object({ name: fact, contact: fact, mayPublish: consent, mayShowName: consent }),
  contributions: z
    .array(contribution, `a list of at most ${link.MAX_CONTRIBUTIONS}`)
    .max(link.MAX_CONTRIBUTIONS, `a list of at most ${link.MAX_CONTRIBUTIONS}`),
});
/** The content of a file. */
export type ContributionFile = z.infer<typeof contributionFile>;
