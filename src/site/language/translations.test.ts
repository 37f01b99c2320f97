import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLanguage } from '../../model/text/language-tag.ts';
import { LANGUAGE_FILES, type Language } from '../../model/text/languages.ts';
import { createLocales, type Locale } from './locale.ts';
import { checkTranslation, completeTranslation, countTranslated, translatedWords, type Words } from './translations.ts';

const of = (tag: string): Language => {
  if (!isLanguage(tag)) throw new Error(`${tag} is no language`);
  return tag;
};
const de = of('de');

describe('checkTranslation', () => {
  it.each(['es', 'ja'] as const)('accepts the words of %s that a project can have', (language) => {
    const { searching: _2, reading: _3, keyboard: _4, ...file } = LANGUAGE_FILES[language];
    const { andBefore: _5, ...citation } = file.citation;
    expect(checkTranslation({ ...file, citation }, language)).toEqual([]);
  });

  it.each<[Words, string]>([
    [{ frame: { skp: 'Zum Inhalt' } }, '"frame.skp" is no text of the interface. Did you mean "skip"?'],
    [{ reading: { months: [] } }, '"reading" is only for languages that are part of Microfiche itself. Delete it.'],
    [
      { searching: { stopWords: 'der die das' } },
      '"searching" is only for languages that are part of Microfiche itself. Delete it.',
    ],
    [{ sorting: { articles: 'der, die' } }, '"sorting.articles" must be words, separated by spaces.'],
    [{ sorting: { articles: '(a+)+$' } }, '"sorting.articles" must be words, separated by spaces.'],
    [{ lists: { records: '{count}' } }, '"lists.records" is no text of the interface. Did you mean "records(count)"?'],
    [
      { lists: { 'records(n)': '{n} Datensätze' } },
      '"lists.records(n)" is no text of the interface. Did you mean "records(count)"?',
    ],
    [
      { lists: { 'records(count)': { one: 'Ein Datensatz', other: 'Datensätze' } } },
      '"lists.records(count)" lacks {count} in "other", which is replaced by a value.',
    ],
    [{ lists: { 'records(count)': 'Datensätze' } }, '"lists.records(count)" lacks {count}, which is replaced by a value.'],
    [JSON.parse('{"__proto__": {"skip": "Zum Inhalt"}}') as Words, '"__proto__" is no text of the interface. Delete it.'],
    [{ frame: { constructor: 'x' } }, '"frame.constructor" is no text of the interface. Delete it.'],
    [{ citation: { andBefore: { '(a+)+$': ' e ' } } }, '"citation.andBefore.(a+)+$" is no text of the interface. Delete it.'],
    [{ frame: 'Rahmen' }, '"frame" must be a group of texts in { }.'],
    [{ frame: { skip: 3 } }, '"frame.skip" must be text in quotation marks.'],
    [{ frame: { skip: null } }, '"frame.skip" must be text in quotation marks.'],
    [{ frame: { skip: ' ' } }, '"frame.skip" is empty. Delete it, so that pages show the English text.'],
    [{ frame: { skip: 'x'.repeat(2_001) } }, '"frame.skip" has more than 2,000 characters.'],
    [{ frame: { skip: 'Zum\nInhalt' } }, '"frame.skip" has a line break or another control character.'],
    [{ frame: { skip: 'Zum <b>Inhalt</b>' } }, '"frame.skip" has HTML, but pages show it as plain text.'],
    [{ frame: { skip: 'Zum&nbsp;Inhalt' } }, '"frame.skip" has HTML, but pages show it as plain text.'],
    [{ frame: { skip: 'Zu {n}' } }, '"frame.skip" has {n}, but it has no values.'],
    [{ frame: { 'page(number)': 'Seite' } }, '"frame.page(number)" lacks {number}, which is replaced by a value.'],
    [{ frame: { 'page(number)': 'Seite {number} von {n}' } }, '"frame.page(number)" has {n}, but it only has {number}.'],
    [
      { frame: { 'page(number)': 'Seite {number} }' } },
      '"frame.page(number)" has a brace that is not part of a value, and it only has {number}.',
    ],
    [
      { lists: { 'records(count)': { other: '{count} Datensätze' } } },
      '"lists.records(count)" must have exactly the plural forms of the language, which are "one", "other".',
    ],
    [{ lists: { 'records(count)': { one: '{count}', other: 3 } } }, '"lists.records(count)" must be text in quotation marks.'],
    [
      { lists: { 'facetValue(facet, value, count)': { one: '{facet}: {value}', other: '{facet}' } } },
      '"lists.facetValue(facet, value, count)" lacks {value}, which is replaced by a value.',
    ],
    [{ search: { advice: ['Tipps:'] } }, '"search.advice" must be a list of 4 texts.'],
    [{ search: { advice: { length: 4 } } }, '"search.advice" must be a list of 4 texts.'],
  ])('says what is wrong with %j', (file, problem) => expect(checkTranslation(file, de)).toEqual([problem]));

  it('names each problem, and none of notes and texts that await translation', () => {
    const file = { '// a': 1, '? b': 2, frame: { '? skip': '{n}', search: '', main: 7 } };
    expect(checkTranslation(file, de)).toHaveLength(2);
  });

  it('asks for the plural forms of each language, and accepts one text for all', () => {
    const file = (...forms: string[]) => ({
      lists: { 'records(count)': Object.fromEntries(forms.map((form) => [form, '{count} x'])) },
    });
    expect(checkTranslation(file('one', 'few', 'many', 'other'), of('pl'))).toEqual([]);
    expect(checkTranslation(file('one', 'other'), of('pl'))).toHaveLength(1);
    expect(checkTranslation({ lists: { 'records(count)': '{count} Datensätze' } }, de)).toEqual([]);
  });
});

describe('completeTranslation', () => {
  it('adds what is missing in the order of English, with the plural forms of the language', () => {
    const file = { lists: { browse: 'Stöbern' }, frame: { skip: 'Do treści' }, '// mine': 'ask Ania' };
    const { frame, lists, ...rest } = completeTranslation(file, of('pl')) as Record<string, Record<string, unknown>>;
    expect(Object.keys(frame ?? {}).slice(0, 4)).toEqual(['// skip', 'skip', '// skipToResults', '? skipToResults']);
    expect(lists?.['browse']).toBe('Stöbern');
    expect(lists?.['? records(count)']).toEqual({
      one: '{count} record',
      few: '{count} records',
      many: '{count} records',
      other: '{count} records',
    });
    expect(rest).toMatchObject({ '? name': 'polski', '// mine': 'ask Ania' });
    expect(rest).not.toHaveProperty('reading');
  });

  it('has the shown texts of a language that Microfiche has', () =>
    expect(completeTranslation({}, 'es')).toMatchObject({ frame: { '? skip': LANGUAGE_FILES.es.frame.skip } }));

  /** Files with some texts, some of which await translation, and some notes. */
  const files = fc
    .array(
      fc.tuple(
        fc.constantFrom('frame.skip', 'frame.main', 'codes.public.1', 'codes.genre.map.plural', 'home.title', 'search.advice'),
        fc.constantFrom('', '? ', '// '),
        fc.constantFrom('Wort', 'Skip to content', 'Main'),
      ),
    )
    .map((entries) => {
      const file: Record<string, unknown> = {};
      for (const [path, mark, text] of entries) {
        const keys = path.split('.');
        const last = keys.pop() as string;
        let group = file;
        for (const key of keys) {
          group[key] ??= {};
          group = group[key] as Record<string, unknown>;
        }
        if (path !== 'home.title' || mark !== '') group[mark + last] = path === 'search.advice' ? [text, text, text, text] : text;
      }
      return file;
    });

  it('loses no translated text, is checked, and changes nothing the second time', () =>
    fc.assert(
      fc.property(files, (file) => {
        expect(checkTranslation(file, de)).toEqual([]);
        const completed = completeTranslation(file, de);
        expect(completed).toMatchObject(translatedWords(file));
        expect(checkTranslation(completed, de)).toEqual([]);
        expect(JSON.stringify(completeTranslation(completed, de))).toBe(JSON.stringify(completed));
        expect(countTranslated(completed, de)).toEqual(countTranslated(file, de));
      }),
    ));
});

it('counts what is translated, and what was changed but is not marked as translated', () => {
  const empty = countTranslated({}, de);
  expect(empty).toEqual({ texts: expect.any(Number) as number, translated: 0, changed: 0 });
  const file = { frame: { skip: 'Zum Inhalt', '? main': 'Haupt', '? search': 'Search' }, '// note': 'x' };
  expect(countTranslated(file, de)).toEqual({ ...empty, translated: 1, changed: 1 });
  expect(countTranslated(LANGUAGE_FILES.es, 'es')).toEqual({ ...empty, translated: empty.texts });
});

describe('own words in a locale', () => {
  const localeOf = (tag: string, file: Words) =>
    createLocales([of(tag)], undefined, { [tag]: translatedWords(file) })[0] as Locale;

  it('shows English in place of each text that a file lacks, with English plural forms', () => {
    const { t, alternatives, formatDate } = localeOf('pl', {
      frame: { skip: 'Do treści', '? main': 'Główna' },
      lists: { 'items(count)': { one: '{count} a', few: '{count} b', many: '{count} c', other: '{count} d' } },
    });
    expect([t.frame.skip, t.frame.main, t.lists.records(1), t.lists.records(2)]).toEqual([
      'Do treści',
      'Main',
      '1 record',
      '2 records',
    ]);
    expect([1, 2, 5].map((count) => t.lists.items(count))).toEqual(['1 a', '2 b', '5 c']);
    expect([t.name, alternatives[0]?.name, formatDate('2026-11-21')]).toEqual(['polski', 'polski', '21 listopada 2026']);
  });

  it('files titles without the articles of the project, too', () => {
    const { withoutArticle } = localeOf('de', { sorting: { articles: 'der die das l’', noArticleBefore: 'und' } });
    expect(['Die Fischer', 'The Sandpiper', 'Das und dies', 'Dieter', 'الميناء'].map(withoutArticle)).toEqual([
      ...['Fischer', 'Sandpiper', 'Das und dies', 'Dieter', 'ميناء'],
    ]);
    expect(localeOf('de', {}).withoutArticle('Die Fischer')).toBe('Die Fischer');
    expect(localeOf('it', { sorting: { articles: "il l'-", noArticleBefore: '' } }).withoutArticle("L'isola")).toBe('isola');
  });

  it('shows the words of Microfiche in place of those that a file for its languages lacks', () => {
    const { t } = localeOf('es', { frame: { skip: 'Ir al contenido' } });
    expect([t.frame.skip, t.frame.main, t.name]).toEqual(['Ir al contenido', LANGUAGE_FILES.es.frame.main, 'Español']);
    expect(createLocales(['es'])[0]?.t.frame.skip).toBe(LANGUAGE_FILES.es.frame.skip);
  });
});

it.each(['en', 'de', 'pt-BR', 'zh-Hant', 'haw'])('knows the language %s', (tag) => expect(isLanguage(tag)).toBe(true));
it.each(['', 'xx', 'und', 'EN', 'pt-br', 'eng', 'iw', 'de-x-a', '../de', 'de-DE-1996', 'tlh', 'a', 'constructor'])(
  'knows no language “%s”',
  (tag) => expect(isLanguage(tag)).toBe(false),
);
