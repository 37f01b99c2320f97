/** The limits of contributions, and the link that opens the form for one: what pages and their scripts need as well. */

/** What a contribution can be. */
export const CONTRIBUTION_KINDS = ['names', 'date', 'correction', 'story'] as const;
/** Contributions in a file. */
export const MAX_CONTRIBUTIONS = 500;
/** Characters of a contribution. */
export const MAX_STORY = 20_000;
/** Characters of any other text. */
export const MAX_FACT = 1_000;
/** Seconds: longer than any recording. */
export const MAX_MOMENT = 1_000_000;

const PATH_PART = '[\\p{L}\\p{N}_~-][\\p{L}\\p{N}._~-]*';
/** The path of the page of a record or person, below the top of its language. */
export const PAGE_PATH = new RegExp(`^(?:objects|people)/${PATH_PART}\\.html$`, 'u');
/** The path of an image in the site. */
export const IMAGE_PATH = new RegExp(`^${PATH_PART}(?:/${PATH_PART})*$`, 'u');

/** What marks a file of contributions. */
export const MARKER = { format: 'microfiche-contribution', version: 1 };

/** Returns the text of a file with this content. */
export const formatContributions = (content: object): string => `${JSON.stringify({ ...MARKER, ...content }, null, 2)}\n`;

/** Returns the part of an address that opens the form for something. A script adds the moment to it: `&t=` and seconds. */
export function writeTarget({ subject, record, image = '' }: Omit<Target, 'moment'>): string {
  const filled = Object.entries({ ...subject, ...record, image }).filter(([, words]) => words !== '');
  return `#${new URLSearchParams(filled)}`;
}

/** Returns what the form is opened for; undefined if the address says nothing, or what no page says. */
export function readTarget(hash: string) {
  const fields = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const { kind, id = '', page = '', title = '', date = '', description = '', credit = '', image, t } = fields;
  const moment = t === undefined ? undefined : Number(t);
  const isMoment = moment === undefined || (moment >= 0 && moment <= MAX_MOMENT);
  const isShort = Object.values(fields).every((words) => words.length <= MAX_FACT);
  const isImage = image === undefined || IMAGE_PATH.test(image);
  if ((kind !== 'object' && kind !== 'person') || id.trim() === '' || !PAGE_PATH.test(page)) return undefined;
  if (!isMoment || !isShort || !isImage) return undefined;
  return { subject: { kind, id, page } as const, record: { title, date, description, credit }, moment, image };
}

/** What the form is opened for, with the path of its image in the site. */
export type Target = NonNullable<ReturnType<typeof readTarget>>;
