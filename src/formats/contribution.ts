/** What readers give back: the file that their browser makes of it and `microfiche inbox` reads, and the link to the form. */

/** Says in one sentence why something is not a file of contributions. */
export class ContributionError extends Error {
  override name = 'ContributionError';
}

/** Returns a value that was checked; `at` is its path in the file. Throws a `ContributionError` if it is malformed. */
type Reader<T> = (value: unknown, at: string) => T;

function refuse(at: string, expected: string): never {
  throw new ContributionError(`${at === '' ? 'It' : `"${at}"`} is not ${expected}.`);
}

/** Characters of a contribution, and of any other text. */
export const MAX_STORY = 20_000;
const MAX_TEXT = 1_000;

/** Reads a text, or the empty one if it is left out. */
export const text: Reader<string> = (value = '', at) =>
  typeof value === 'string' && value.length <= MAX_STORY ? value : refuse(at, `a text of at most ${MAX_STORY} characters`);

const textLike =
  (pattern: RegExp, expected: string): Reader<string> =>
  (value, at) => {
    const read = text(value, at);
    return pattern.test(read) && read.length <= MAX_TEXT ? read : refuse(at, expected);
  };

const number =
  (max: number): Reader<number> =>
  (value, at) =>
    typeof value === 'number' && value >= 0 && value <= max ? value : refuse(at, `a number from 0 to ${max}`);

const oneOf =
  <T extends string>(choices: readonly T[]): Reader<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ?? refuse(at, `one of ${choices.join(', ')}`);

const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : reader(value, at);

/** Reads the fields of an object; others are ignored. */
export const object =
  <Shape extends Readonly<Record<string, Reader<unknown>>>>(
    shape: Shape,
  ): Reader<{ [Name in keyof Shape]: ReturnType<Shape[Name]> }> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(at, 'an object');
    const given = value as Record<string, unknown>;
    const read = Object.entries(shape).map(([name, reader]) => [name, reader(given[name], at === '' ? name : `${at}.${name}`)]);
    return Object.fromEntries(read) as { [Name in keyof Shape]: ReturnType<Shape[Name]> };
  };

/** Contributions in a file. */
export const MAX_CONTRIBUTIONS = 500;

/** Reads a list. */
export const list =
  <T>(reader: Reader<T>): Reader<T[]> =>
  (value, at) =>
    Array.isArray(value) && value.length <= MAX_CONTRIBUTIONS
      ? value.map((each, i) => reader(each, `${at}[${i}]`))
      : refuse(at, `a list of at most ${MAX_CONTRIBUTIONS}`);

/** What a contribution can be. */
export const CONTRIBUTION_KINDS = ['names', 'date', 'correction', 'story'] as const;
/** Reads one of them. */
export const contributionKind = oneOf(CONTRIBUTION_KINDS);
/** One of `CONTRIBUTION_KINDS`. */
export type ContributionKind = (typeof CONTRIBUTION_KINDS)[number];

const fact = textLike(/(?:)/, `a text of at most ${MAX_TEXT} characters`);
const time: Reader<string> = (value, at) => {
  const expected = 'a time in UTC';
  const read = textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/, expected)(value, at);
  return Number.isNaN(Date.parse(read)) ? refuse(at, expected) : read;
};
const PATH_PART = '[\\p{L}\\p{N}_~-][\\p{L}\\p{N}._~-]*';

/** Reads a record or person: the ID or slug, and the path of the page below the top of its language. */
const subject = object({
  kind: oneOf(['object', 'person']),
  id: textLike(/\S/, 'an ID'),
  page: textLike(new RegExp(`^(?:objects|people)/${PATH_PART}\\.html$`, 'u'), 'the path of a page'),
});
/** A record or person. */
export type Subject = ReturnType<typeof subject>;

/** Reads what the page said. */
const recordAsShown = object({ title: fact, date: fact, description: fact, credit: fact });
/** What the page said of its subject, in short plain texts; empty if it said nothing. */
export type RecordAsShown = ReturnType<typeof recordAsShown>;

const imagePath = textLike(new RegExp(`^${PATH_PART}(?:/${PATH_PART})*$`, 'u'), 'the path of an image');
const SIDES = { x: number(1), y: number(1), width: number(1), height: number(1) };
/** Reads a place in an image, with the path of the image in the site. */
const mark = object({ file: imagePath, ...SIDES });
/** A place in an image, in fractions of its width and height from the upper left corner. */
export type Mark = Omit<ReturnType<typeof mark>, 'file'>;

/** Seconds: longer than any recording. */
const moment = number(1_000_000);

/** Reads one thing that a reader knows, with its subject as it was then; of a recording, perhaps with the moment in seconds. */
export const contribution = object({
  id: textLike(/^[0-9a-f]{32}$/, 'an ID of 32 hexadecimal digits'),
  at: time,
  subject,
  record: recordAsShown,
  moment: optional(moment),
  kind: contributionKind,
  text: (value, at) => (text(value, at).trim() === '' ? refuse(at, 'a text with words') : text(value, at)),
  mark: optional(mark),
});
/** One thing that a reader knows. */
export type Contribution = ReturnType<typeof contribution>;

const consent: Reader<boolean> = (value) => value === true;
/** Reads who a reader is, as far as they say, and what they allow. */
export const contributor = object({ name: fact, contact: fact, mayPublish: consent, mayShowName: consent });
/** A reader. */
export type Contributor = ReturnType<typeof contributor>;

const FORMAT = 'microfiche-contribution';
const VERSION = 1;
const header = object({ format: text, version: number(Number.MAX_SAFE_INTEGER) });
const content = object({
  archive: object({ title: fact, url: fact, harvestedAt: fact }),
  reader: contributor,
  contributions: list(contribution),
});
/** The content of a file. */
export type ContributionFile = ReturnType<typeof content>;

/**
 * Returns the content of a file.
 * @throws {ContributionError}
 */
export function parseContributions(json: string): ContributionFile {
  const value = parseJson(json);
  const { format, version } = header(value, '');
  if (format !== FORMAT) throw new ContributionError('It is not a file of contributions.');
  if (version !== VERSION) throw new ContributionError('A later version of Microfiche wrote it. Read it with that one.');
  return content(value, '');
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ContributionError('It is not JSON.');
  }
}

/** Returns the text of a file. */
export function formatContributions(file: ContributionFile): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...file }, null, 2)}\n`;
}

/** What the form is opened for. */
export type Target = Pick<Contribution, 'subject' | 'record' | 'moment'> & {
  /** The path of its image in the site. */
  image: string | undefined;
};

/** Returns the part of an address that opens the form for something. A script adds the moment to it: `&t=` and seconds. */
export function writeTarget({ subject: about, record, image = '' }: Omit<Target, 'moment'>): string {
  const filled = Object.entries({ ...about, ...record, image }).filter(([, words]) => words !== '');
  return `#${new URLSearchParams(filled)}`;
}

/** Returns what the form is opened for; undefined if the address says nothing, or what no page says. */
export function readTarget(hash: string): Target | undefined {
  const fields = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const { t } = fields;
  return ifValid(() => ({
    subject: subject(fields, ''),
    record: recordAsShown(fields, ''),
    moment: t === undefined ? undefined : moment(Number(t), 't'),
    image: optional(imagePath)(fields['image'], 'image'),
  }));
}

/** Returns what was read; undefined if it is malformed. */
export function ifValid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ContributionError) return undefined;
    throw error;
  }
}
