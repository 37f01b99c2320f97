/** The part of the schema of CSL-JSON (csl-data.json of CSL 1.0.2) that citations use: types, variables and their values. */

const TYPES = [
  ...['article', 'book', 'broadcast', 'collection', 'dataset', 'document', 'graphic', 'interview', 'manuscript', 'map'],
  ...['motion_picture', 'musical_score', 'pamphlet', 'performance', 'periodical', 'personal_communication', 'song', 'webpage'],
];
const NAMES = ['author', 'contributor', 'editor', 'interviewer', 'recipient', 'translator'];
const DATES = ['accessed', 'issued', 'original-date'];
const TEXTS = [
  ...['archive', 'archive_collection', 'archive_location', 'archive-place', 'call-number', 'dimensions', 'genre', 'language'],
  ...['keyword', 'medium', 'note', 'publisher', 'source', 'title', 'URL'],
];

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const hasOnly = (value: object, keys: string[]) => Object.keys(value).every((key) => keys.includes(key));

function isName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !Object.values(value).every(isText)) return false;
  if ('literal' in value) return hasOnly(value, ['literal']);
  return 'family' in value && hasOnly(value, ['family', 'given', 'suffix', 'non-dropping-particle', 'dropping-particle']);
}

/** One or two lists of a year, a month and a day, of the same length; or a text. */
function isDate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('literal' in value) return isText(value.literal) && hasOnly(value, ['literal']);
  const parts = 'date-parts' in value && Array.isArray(value['date-parts']) ? (value['date-parts'] as unknown[]) : [];
  if (parts.length < 1 || parts.length > 2 || !hasOnly(value, ['date-parts', 'circa'])) return false;
  if ('circa' in value && value.circa !== true) return false;
  const lengths = parts.map((part) =>
    Array.isArray(part) && part.every((number) => Number.isInteger(number)) ? part.length : 0,
  );
  return new Set(lengths).size === 1 && (lengths[0] ?? 0) >= 1 && (lengths[0] ?? 0) <= 3;
}

/** Returns what the schema does not allow in an item of CSL-JSON. */
export function findCslErrors(item: Record<string, unknown>): string[] {
  const required = ['id', 'type'].filter((name) => !isText(item[name])).map((name) => `${name}: missing`);
  const errors = Object.entries(item).flatMap(([name, value]) => {
    if (name === 'id') return [];
    const isValid =
      (name === 'type' && TYPES.includes(String(value))) ||
      (NAMES.includes(name) && Array.isArray(value) && value.length > 0 && value.every(isName)) ||
      (DATES.includes(name) && isDate(value)) ||
      (TEXTS.includes(name) && isText(value));
    return isValid ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
  return [...required, ...errors];
}
