import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_FILES } from '../../model/text/languages.ts';
import { createTexts } from '../../model/text/messages.ts';
import { codeLabel, createLocales, type Dictionary, LANGUAGES, type Language, type Locale, withFallback } from './locale.ts';

const locales = createLocales(LANGUAGES);
const of = (language: string) => locales.find((locale) => locale.language === language) as Locale;

/** The message of a key: a text, a list of texts, or one text for each plural category. */
type Message = string | string[] | Record<string, string>;

/** Returns a file's messages by path, with their values: `lists.records(count)`. What differs by nature is left out. */
function messages(node: object, path = ''): Array<[path: string, message: Message]> {
  return Object.entries(node).flatMap(([key, value]): Array<[string, Message]> => {
    const at = path === '' ? key : `${path}.${key}`;
    if (key.startsWith('//') || /^(?:reading|keyboard|citation\.andBefore)$/.test(at)) return [];
    return typeof value === 'string' || Array.isArray(value) || at.endsWith(')') ? [[at, value]] : messages(value, at);
  });
}
const textsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));

/** Texts that may be the same in several languages: punctuation, signs, numbers, names, abbreviations, a Spanish cognate. */
const SHARED = /^[\s\p{P}\p{S}\p{N}]*$|^ID$|^audio$|^eds?\.$|^et al\.$|Creative Commons|^SHA|^MD5|^[+−]\d+ s$/u;
/** Words that are written alike in French and English. */
const FRENCH =
  /^(?:,? ?pages?|collections?|documents?|segments?|formats?|genres?|guide|notes?|dates?|images?|portraits?|pagination|suggestions|description|pause|index|sources|population|albums?|architecture|illustrations?|films?|transcriptions?|position|institution|original)\s*$/i;
const sharedIn = (language: string, text: string) => SHARED.test(text) || (language === 'fr' && FRENCH.test(text.trim()));
/** What a language may have nothing of. */
const MAY_BE_EMPTY = /^(?:sorting|searching|citation\.(?:serialComma|commaAfterInverted|beforeYear))/;

const ofEnglish = messages(LANGUAGE_FILES.en);
const pathsOfEnglish = ofEnglish.map(([path]) => path);

/** Returns what a translator changes so that a file has the keys of another; if only their order differs, where that begins. */
function differences(language: string, own: readonly string[], wanted: readonly string[]): string[] {
  const [here, there] = [new Set(own), new Set(wanted)];
  const missing = wanted.filter((path) => !here.has(path)).map((path) => `${language}.json: add ${path}`);
  const unknown = own.filter((path) => !there.has(path)).map((path) => `${language}.json: remove ${path}`);
  const at = own.findIndex((path, i) => path !== wanted[i]);
  const misplaced = at === -1 ? [] : [`${language}.json: put ${wanted[at]} before ${own[at]}`];
  return missing.length + unknown.length > 0 ? [...missing, ...unknown] : misplaced;
}

it('names the keys that a language lacks, has beyond English, or has elsewhere, and no others', () => {
  expect(differences('ar', ['a', 'c', 'd'], ['a', 'b', 'c'])).toEqual(['ar.json: add b', 'ar.json: remove d']);
  expect(differences('ar', ['a', 'c', 'b'], ['a', 'b', 'c'])).toEqual(['ar.json: put b before c']);
  expect(differences('ar', ['a'], ['a'])).toEqual([]);
});

describe.each(Object.entries(LANGUAGE_FILES))('%s.json', (language, file) => {
  const own = messages(file);
  const inFile = (path: string, problem: string) => `${language}.json, ${path}: ${problem}`;

  it('has the keys of en.json, in the same order', () => {
    const paths = own.map(([path]) => path);
    expect(differences(language, paths, pathsOfEnglish)).toEqual([]);
  });

  it('has in braces the values that the key of a message names, and no others', () => {
    const problems = own.flatMap(([path, message]) => {
      const names = /\((.*)\)$/.exec(path)?.[1]?.split(', ') ?? [];
      return textsOf(message).flatMap((text) => {
        const used = [...text.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name);
        const missing = names.filter((name) => name !== 'count' && !used.includes(name));
        const unknown = used.filter((name) => !names.includes(name));
        return [
          ...missing.map((name) => inFile(path, `lacks {${name}}`)),
          ...unknown.map((name) => inFile(path, `has {${name}}`)),
        ];
      });
    });
    expect(problems).toEqual([]);
  });

  it('has exactly the plural forms of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const problems = own.flatMap(([path, message]) => {
      if (typeof message === 'string' || Array.isArray(message)) return [];
      const forms = Object.keys(message);
      const isComplete = [...pluralCategories].sort().join() === [...forms].sort().join() && path.includes('count');
      return isComplete ? [] : [inFile(path, `has the forms ${forms.join(', ')}, not ${pluralCategories.join(', ')}`)];
    });
    expect(problems).toEqual([]);
  });

  it('has no empty text', () => {
    const empty = own.filter(([path, message]) => textsOf(message).includes('') && !MAY_BE_EMPTY.test(path));
    expect(empty.map(([path]) => inFile(path, 'is empty'))).toEqual([]);
  });
});

it.each(Object.entries(LANGUAGE_FILES).filter(([language]) => language !== 'en'))(
  '%s.json translates every text',
  (language, file) => {
    const english = new Map(ofEnglish.map(([path, message]) => [path, textsOf(message)]));
    const same = messages(file).flatMap(([path, message]) => {
      const texts = textsOf(message).filter(
        (text) => english.get(path)?.includes(text) && !sharedIn(language, text.replace(/\{.*?\}/g, '')),
      );
      return texts.map((text) => `${language}.json, ${path}: ${text}`);
    });
    expect(same).toEqual([]);
  },
);

it('writes French with no-break spaces inside quotation marks and before high punctuation', () => {
  const texts = messages(LANGUAGE_FILES.fr).flatMap(([, message]) => textsOf(message));
  expect(texts.filter((text) => / [;:?!»%]|[«] |\w[;?!»]|\w:(?!\/|\d)|'/.test(text))).toEqual([]);
});

it('counts in each language by its own forms', () => {
  const counted = (language: string) => [0, 1, 2, 3, 11, 100].map((count) => of(language).t.lists.records(count));
  expect(counted('fr')).toEqual(['0 notice', '1 notice', '2 notices', '3 notices', '11 notices', '100 notices']);
  expect(of('fr').t.lists.records(2_000_000)).toMatch(/^2\s000\s000 de notices$/);
  expect(counted('ar')).toEqual(['0 سجل', 'سجل واحد', 'سجلان', '3 سجلات', '11 سجلًا', '100 سجل']);
});

it('shows English in place of a text that a language does not have yet', () => {
  const { object, lists } = withFallback(
    createTexts({ object: { copy: 'Copiar' } }, 'es'),
    createTexts(LANGUAGE_FILES.en, 'en'),
  ) as Dictionary;
  expect([object.copy, object.copied, lists.records(2)]).toEqual(['Copiar', 'Copied', '2 records']);
});

it('puts the first language at the top, and the others in subdirectories', () => {
  expect(createLocales(['ja', 'en']).map(({ language, pathPrefix, rootPath }) => [language, pathPrefix, rootPath])).toEqual([
    ['ja', '', ''],
    ['en', 'en/', '../'],
  ]);
});

it.each([
  ['en', 'jpn', 'Japanese'],
  ['es', 'jpn', 'japonés'],
  ['ja', 'jpn', '日本語'],
  ['fr', 'jpn', 'japonais'],
  ['ar', 'jpn', 'اليابانية'],
  ['en', 'chi', 'Chinese'],
  ['en', 'tgl', 'Tagalog'],
  ['ja', 'tgl', 'タガログ語'],
  ['en', 'lao', 'Lao'],
  ['en', 'xyz', 'Unknown language (xyz)'],
  ['ja', 'xyz', '不明な言語（xyz）'],
  ['en', 'und', 'Undetermined'],
  ['es', 'und', 'indeterminado'],
  ['ja', 'und', '言語不明'],
  ['en', 'UND', 'Undetermined'],
  ['en', 'mis', 'Uncoded language'],
  ['es', 'mul', 'varios idiomas'],
  ['ja', 'zxx', '言語的内容なし'],
  ['en', 'zxx', 'No linguistic content'],
  ['en', 'not a code', 'not a code'],
])('names languages: %s %s', (language, code, name) => expect(of(language).languageName(code)).toBe(name));

it.each([
  ['en', '2026-11-21T23:30:00.000Z', 'November 21, 2026'],
  ['es', '2026-11-21T23:30:00.000Z', '21 de noviembre de 2026'],
  ['ja', '2026-11-21T23:30:00', '2026年11月21日'],
  ['en', '2026-11-21 23:30:00.0', 'November 21, 2026'],
  ['en', '2026-11-21T23:30:00.123456', 'November 21, 2026'],
  ['en', '2026-11-21T23:30:00-08:00', 'November 22, 2026'],
  ['en', 'some day', 'some day'],
  ['en', '10/30/2003', 'October 30, 2003'],
  ['es', 'Spring 1943', 'primavera de 1943'],
  ['en', 'Winter 1943', 'Winter 1943'],
  ['en', 'batch 7', 'batch 7'],
  ['en', '3/9/2014', '3/9/2014'],
])('formats dates: %s %s', (language, time, date) => expect(of(language).formatDate(time)).toBe(date));

it('returns an unknown code unchanged, even one that is a property of every object', () => {
  expect([codeLabel({ a: 'A' }, 'a'), codeLabel({ a: 'A' }, 'b'), codeLabel({}, 'constructor')]).toEqual([
    'A',
    'b',
    'constructor',
  ]);
});

it.each([
  ['en', '1942-03-01', 'March 1, 1942'],
  ['en', '12 June 1955', 'June 12, 1955'],
  ['en', 'March 1, 1942', 'March 1, 1942'],
  ['es', 'March 1, 1942', '1 de marzo de 1942'],
  ['ja', 'March 1, 1942', '1942年3月1日'],
  ['fr', 'March 1, 1942', '1 mars 1942'],
  ['ar', 'March 1, 1942', '1 مارس 1942'],
  ['fr', '1940s', 'années 1940'],
  ['ar', 'circa 1942', 'نحو 1942'],
  ['en', 'n.d.', 'Undated'],
  ['es', 'n.d.', 'Sin fecha'],
  ['en', '2/11/1947', '2/11/1947'],
  ['es', '2/11/1947', '2/11/1947'],
  ['en', 'circa 1942', 'c. 1942'],
  ['es', 'circa 1942', 'hacia 1942'],
  ['ja', 'circa 1942', '1942年頃'],
  ['en', 'March 1, 1942?', 'March 1, 1942?'],
  ['en', '1942-45', '1942–1945'],
  ['es', 'early 1940s', 'principios de la década de 1940'],
  ['es', 'Spring 1943', 'primavera de 1943'],
  ['es', 'Winter 1943-1944', 'Winter 1943–1944'],
  ['en', 'before the second ferry', 'before the second ferry'],
])('shows in %s the date “%s” as “%s”', (language, text, expected) => expect(of(language).formatRecordDate(text)).toBe(expected));

it.each([
  ['en', '1931-03-01', '1932-10-31', 'March 1, 1931 – October 31, 1932'],
  ['es', '1931-03-01', '1931-03-05', '1–5 de marzo de 1931'],
  ['ja', '1931-03-01', '1931-03-05', '1931年3月1日～5日'],
  ['en', '1931', '1931', '1931'],
  ['en', '1931', 'the flood', '1931 – the flood'],
])('shows in %s the period from “%s” to “%s” as “%s”', (language, from, to, expected) =>
  expect(of(language).formatPeriod(from, to)).toBe(expected),
);

it('keeps the punctuation of English sentences in its place in a language that is read from right to left', () => {
  const [hebrew] = createLocales(['he' as Language], undefined, { he: { frame: { skip: 'לתוכן' } } });
  expect(hebrew?.t.frame.skip).toBe('לתוכן');
  expect(hebrew?.t.frame.offlineCopyOf('X')).toBe('\u200eOffline copy of X.\u200e');
  expect(createLocales(['sv' as Language])[0]?.t.frame.offlineCopyOf('X')).toBe('Offline copy of X.');
});

it('writes numbers, dates and names in English, not in the language of the machine, if ICU does not know a language', () => {
  const program = `import('./src/site/language/locale.ts').then(({ createLocales, nameOfLanguage }) => {
    const [l] = createLocales(['gn']);
    const said = [l.formatNumber(1234.5), l.formatDate('2026-11-21T00:00:00Z'), l.formatRecordDate('1942-03'), l.formatBytes(5500), l.languageName('gsw')];
    console.log(JSON.stringify([...said, nameOfLanguage('gn'), l.t.lists.records(2)]));
  })`;
  const inLocale = (name: string) =>
    execFileSync(process.execPath, ['-e', program], { env: { ...process.env, LC_ALL: name }, encoding: 'utf8' });
  expect(inLocale('ar_EG.UTF-8')).toBe(inLocale('en_US.UTF-8'));
});
