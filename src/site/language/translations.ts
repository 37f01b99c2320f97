/** Files of a project with words of the interface: checks them against the English ones, completes and counts them. */
import { LANGUAGE_FILES, type Language } from '../../model/text/languages.ts';
import { findNearestName } from '../../model/text/nearest-name.ts';
import { isObject } from '../../model/values.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { isShipped, nameOfLanguage } from './locale.ts';

/** Words by key, in groups. A key ends with the names of the values that its text has in braces: `records(count)`. */
export type Words = Readonly<Record<string, unknown>>;

/** Begins the key of a text that awaits translation. Such texts are not shown. */
const AWAITING = '? ';
const NOTE = '//';
/** Characters of a text. */
const MAX_LENGTH = 2_000;

/** What search, readings of dates and the kiosk's keyboard need of a language: only Microfiche itself has it. */
const OF_PROGRAM = /^(?:\/\/ )?(?:searching|reading|keyboard)$/;
/** Words, each of which may end with a hyphen if it is written as the beginning of another one. */
const SORTING = /^(?:[\p{L}\p{M}'’]+-?(?: (?=\p{L})|$))*$/u;
const ENGLISH: Words = Object.fromEntries(Object.entries(LANGUAGE_FILES.en).filter(([key]) => !OF_PROGRAM.test(key)));

const isGroup = (key: string, text: unknown): text is Words => isObject(text) && !key.endsWith(')');
const isTranslated = (key: string) => !key.startsWith(NOTE) && !key.startsWith(AWAITING);
const formsOf = (language: Language) => new Intl.PluralRules([language, 'en']).resolvedOptions().pluralCategories;

/** Returns what is wrong with the words of a file, as sentences that name their keys. */
export const checkTranslation = (file: Words, language: Language): string[] => problemsIn(file, ENGLISH, '', formsOf(language));

function problemsIn(file: Words, english: Words, above: string, forms: readonly string[]): string[] {
  return Object.entries(file).flatMap(([key, text]) => {
    if (!isTranslated(key)) return [];
    const name = `"${toPrintable(above + key, 200)}"`;
    const original = Object.hasOwn(english, key) ? english[key] : undefined;
    if (original === undefined) {
      if (above === '' && OF_PROGRAM.test(key))
        return [`${name} is only for languages that are part of Microfiche itself. Delete it.`];
      const known = Object.keys(english).filter(isTranslated);
      const bare = (each: string) => each.replace(/\(.*/, '');
      const nearest = known.find((each) => bare(each) === bare(key)) ?? findNearestName(key, known);
      return [`${name} is no text of the interface. ${nearest === undefined ? 'Delete it.' : `Did you mean "${nearest}"?`}`];
    }
    if (isGroup(key, original))
      return isObject(text) ? problemsIn(text, original, `${above}${key}.`, forms) : [`${name} must be a group of texts in { }.`];
    if (above === 'sorting.')
      return typeof text === 'string' && SORTING.test(text) ? [] : [`${name} must be words, separated by spaces.`];
    const problem = problemWith(text, original, /\((.*)\)$/.exec(key)?.[1]?.split(', ') ?? [], forms);
    return problem === undefined ? [] : [`${name} ${problem}.`];
  });
}

/** Returns what is wrong with a message, as the end of a sentence. `names` are those of its values. */
function problemWith(
  message: unknown,
  original: unknown,
  names: readonly string[],
  forms: readonly string[],
): string | undefined {
  if (Array.isArray(original) && (!Array.isArray(message) || message.length !== original.length))
    return `must be a list of ${original.length} texts`;
  const isCounted = names.includes('count');
  const mayBeEmpty = typeof original === 'string' && !/\p{L}/u.test(original);
  if (isCounted && isObject(message) && Object.keys(message).sort().join() !== forms.toSorted().join())
    return `must have exactly the plural forms of the language, which are ${forms.map((form) => `"${form}"`).join(', ')}`;
  const ofForms = isCounted && isObject(message);
  const texts: unknown[] = Array.isArray(original) || ofForms ? Object.values(message as object) : [message];
  const isSaid = (ofForms ? [message['other']] : texts).join().includes('{count}');
  const lost = `lacks {count}${ofForms ? ' in "other"' : ''}, which is replaced by a value`;
  const problem = texts.map((text) => problemWithText(text, mayBeEmpty, names)).find((each) => each !== undefined);
  return problem ?? (isCounted && !isSaid && JSON.stringify(original).includes('{count}') ? lost : undefined);
}

function problemWithText(text: unknown, mayBeEmpty: boolean, names: readonly string[]): string | undefined {
  if (typeof text !== 'string') return 'must be text in quotation marks';
  if (text.trim() === '' && !mayBeEmpty) return 'is empty. Delete it, so that pages show the English text';
  if (text.length > MAX_LENGTH) return `has more than ${MAX_LENGTH.toLocaleString('en')} characters`;
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return 'has a line break or another control character';
  if (/<[a-z!/?]|&#?\w+;/i.test(text)) return 'has HTML, but pages show it as plain text';
  const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const lost = names.find((name) => name !== 'count' && !used.includes(name));
  if (lost !== undefined) return `lacks {${lost}}, which is replaced by a value`;
  const unknown = used.find((name) => !names.includes(name));
  const known = names.length === 0 ? 'it has no values' : `it only has ${names.map((name) => `{${name}}`).join(', ')}`;
  if (unknown !== undefined) return `has {${toPrintable(unknown, 60)}}, but ${known}`;
  return /[{}]/.test(text.replace(/\{\w+\}/g, '')) ? `has a brace that is not part of a value, and ${known}` : undefined;
}

/** Returns the translated words of a file that was checked, without notes. */
export function translatedWords(file: Words): Words {
  const entries = Object.entries(file).filter(([key]) => isTranslated(key));
  return Object.fromEntries(entries.map(([key, text]) => [key, isGroup(key, text) ? translatedWords(text) : text]));
}

/**
 * Returns a file that was checked with all keys, in the order of English and with its notes. Keys that it lacks begin with “? ”,
 * and have the text that is shown in their place. Other texts of such keys stay: someone may have begun to translate them.
 */
export function completeTranslation(file: Words, language: Language): Words {
  const note = `The interface in ${new Intl.DisplayNames('en', { type: 'language' }).of(language)}. A key that begins with “? ” awaits translation: translate its text, and delete “? ”. Words in braces are replaced by values, and {count} chooses one of the plural forms.`;
  const shown = isShipped(language) ? LANGUAGE_FILES[language] : { ...ENGLISH, name: nameOfLanguage(language) };
  return complete({ [NOTE]: note, ...file }, ENGLISH, shown, formsOf(language));
}

function complete(file: Words, english: Words, shown: Words, forms: readonly string[]): Words {
  const own = (key: string) => (Object.hasOwn(file, key) ? [[key, file[key]]] : undefined);
  const entries = Object.entries(english).flatMap(([key, text]): unknown[][] => {
    if (key.startsWith(NOTE)) return own(key) ?? [[key, text]];
    const other = shown[key] ?? text;
    if (!isGroup(key, text)) return own(key) ?? own(AWAITING + key) ?? [[AWAITING + key, inForms(other, forms)]];
    const group = complete((own(key)?.[0]?.[1] ?? {}) as Words, text, other as Words, forms);
    return Object.keys(group).length === 0 ? [] : [[key, group]];
  });
  const notes = Object.entries(file).filter(([key]) => key.startsWith(NOTE));
  return Object.fromEntries([...entries, ...notes]) as Words;
}

/** Returns a message with the plural forms of another language, if it has several. */
function inForms(message: unknown, forms: readonly string[]): unknown {
  return isObject(message) ? Object.fromEntries(forms.map((form) => [form, message[form] ?? message['other']])) : message;
}

/** Returns how many texts the interface has, how many a checked file has of them, and how many it has changed that await it. */
export function countTranslated(file: Words, language: Language): { texts: number; translated: number; changed: number } {
  const own = new Map(textsIn(file));
  const awaiting = [...textsIn(completeTranslation({}, language))];
  const missing = awaiting.filter(([path]) => !own.has(path.replace(AWAITING, '')));
  const changed = missing.filter(([path, text]) => own.has(path) && JSON.stringify(own.get(path)) !== JSON.stringify(text));
  return { texts: awaiting.length, translated: awaiting.length - missing.length, changed: changed.length };
}

/** Yields the texts of a file with the keys that lead to them. */
function* textsIn(file: Words, above = ''): Iterable<[path: string, text: unknown]> {
  for (const [key, text] of Object.entries(file))
    if (isGroup(key, text)) yield* textsIn(text, `${above}${key}.`);
    else if (!key.startsWith(NOTE)) yield [above + key, text];
}
