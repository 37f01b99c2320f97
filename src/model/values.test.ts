import { describe, expect, it } from 'vitest';
import { readArticle } from './guide/guide.ts';
import { parseRecord } from './records.ts';
import { statedText, text } from './values.ts';

describe('a text field that is a list or has several languages', () => {
  it.each<[what: string, value: unknown, read: string | undefined]>([
    ['a list of one', ['Array title'], 'Array title'],
    ['a list of words', ['1942', '', '1943'], '1942; 1943'],
    ['a list of sentences', ['First part.', 'Second part.'], 'First part.\n\nSecond part.'],
    ['texts by language', { es: 'Título', en: 'Title' }, 'Title'],
    ['texts by region', { 'es-MX': 'Título', 'en-US': ['Title', 'Subtitle'] }, 'Title; Subtitle'],
    ['texts in other languages', { es: '', ja: '港' }, '港'],
    ['an object that is not a text', { label: 'x', url: 'y' }, undefined],
    ['an object with a text', { rendered: 'Title', protected: false }, 'Title'],
    [
      'objects with texts',
      [
        { id: 1, type: 'literal', value: 'a' },
        { _: 'b', $: {} },
        { label: ['c'], code: 'x' },
      ],
      'a; b; c',
    ],
    ['a list of PHP with gaps', { 0: 'a', 2: ['b'] }, 'a; b'],
    ['a period', { start: '1940', end: 1945 }, '1940/1945'],
    ['a period with its words', { begin: '1940', end: null, expression: 'early 1940' }, 'early 1940'],
    [
      'a period without an end',
      [
        { start_date: '1940', end_date: '' },
        { from: '1950', to: '1950' },
      ],
      '1940; 1950',
    ],
    ['the parts of a date', { year: 1942, month: 3, day: 7 }, '1942-03-07'],
    ['a month in parts', { year: '1942', month: '3', day: null }, '1942-03'],
    ['a date of MongoDB', { $date: '1942-03-07' }, '1942-03-07'],
    ['a date with other parts', { start: '1940', place: 'x' }, undefined],
    ['a period whose words are empty', { expression: '', begin: '1940', end: '1945' }, '1940/1945'],
    ['a day without a month', { year: 1942, day: 7 }, '1942'],
    ['a day without a year', { month: 3, day: 7 }, undefined],
    ['an early year', { year: 800 }, '0800'],
    ['a title with a year', { title: 'Deed', year: 1942 }, undefined],
    ['a link between two', { id: 'x', from: 'http://a/b', to: 'http://a/c' }, undefined],
    ['texts by year', { 1942: 'Built', 1950: 'Closed' }, undefined],
    ['XML with attributes', { '#text': 'Title', '@lang': 'en' }, 'Title'],
    ['a quantity', { value: 3, unit: 'cm' }, undefined],
    ['an ID', { id: 'demo' }, undefined],
    ['lists in lists', [['a'], [['b']]], 'a; b'],
    ['texts by any tag', { de: 'Titel', 'zh-Hant': '標題' }, 'Titel'],
    ['texts by a code of three letters', { haw: 'Poʻo', eng: 'Title' }, 'Title'],
    ['texts without a language', { und: ['Title'] }, 'Title'],
    ['a text of JSON-LD', { '@value': 'Title', '@language': 'fr' }, 'Title'],
    [
      'texts of JSON-LD',
      [
        { '@value': 'Título', '@language': 'es' },
        { '@value': 'Title', '@language': 'en-GB' },
      ],
      'Title',
    ],
    [
      'texts of JSON-LD in other languages',
      [
        { '@value': '港', '@language': 'ja' },
        { '@value': 'x', '@language': 'es' },
      ],
      '港',
    ],
    ['a list of texts by language', [{ es: 'Título' }, { en: 'Title' }], 'Title'],
    ['texts by language with lists', { en: [{ '@value': 'Title' }, ['Subtitle']] }, 'Title; Subtitle'],
    ['an object with a part that is not a text', { en: { url: 'x' } }, undefined],
  ])('reads %s', (_, value, read) => expect(text(value)).toBe(read));

  it('does not throw at a value that is nested thousands of levels deep', () => {
    let value: unknown = 'words';
    for (let depth = 0; depth < 20_000; depth++) value = [value];
    expect(text(value)).toBe('words');
    expect(text({ en: value })).toBe('words');
  });

  it('prefers the language of the page', () => {
    expect(statedText({ en: 'Title', 'es-MX': 'Título' }, 'es')).toBe('Título');
    expect(
      statedText(
        [
          { '@value': 'Title', '@language': 'en' },
          { '@value': '港', '@language': 'ja' },
        ],
        'ja',
      ),
    ).toBe('港');
  });

  it('gives a record its title and dates', () => {
    const record = parseRecord({ id: 'demo-org-1-1', title: { en: 'English title', es: 'Título' }, creation: ['1942', '1943'] });
    expect(record).toMatchObject({ title: 'English title', creation: '1942; 1943' });
  });

  it('gives a record its topics', () => {
    const record = parseRecord({
      id: 'demo-org-1-1',
      topics: [{ id: '7', term: { en: 'Fishing', es: 'Pesca' } }, { en: 'Ferries' }],
    });
    expect(record?.topics.map(({ term }) => term)).toEqual(['Fishing', 'Ferries']);
  });
});

it.each([
  'Unknown',
  'unknown.',
  '[Unknown]',
  'n/a',
  'N/A',
  'Extent Unknown',
  'Date unknown',
  'unknown extent',
  'Placeholder',
  'n.a.',
  'Scope and content text here',
  'Unspecified',
  '<p>Unknown</p>',
  '&nbsp;',
  'Extent: unknown',
  'DESCRIPTION TEXT HERE',
  'Enter description here',
  'Text goes here',
  'TBD',
  'not available',
  'No description available',
  'null',
  '-',
  '—',
  '?',
  '???',
  'desconocido',
  '不明',
])('reads “%s” as missing', (words) => expect(text(words)).toBeUndefined());

it('reads the elements of a list without those that are missing', () =>
  expect([text(['Unknown', 'n/a']), text(['Red', 'n/a'])]).toEqual([undefined, 'Red']));

it.each([
  'Unknown soldier',
  '<illegible>',
  'The unknown',
  'None',
  'Untitled',
  'Here',
  'We lived here',
  'Nan Ito',
  'n',
  'Not known to us, this boat',
  'A-',
  'No restrictions',
  'No Place',
  'Put your hands here',
])('keeps “%s”', (words) => expect(text(words)).toBe(words));

it.each(['Nan', 'Null', '?', 'Location unknown', 'No Place'])(
  'keeps “%s” as a title and as a name, and not as a description',
  (words) => {
    const record = parseRecord({
      id: 'demo-org-1-1',
      title: words,
      description: words,
      label: words,
      creators: [{ namepart: words }],
      persons: [words],
      breadcrumbs: [{ id: 'demo-org-1', label: words }],
    });
    expect(record).toMatchObject({ title: words, label: words, creators: [{ namepart: words }], persons: [{ namepart: words }] });
    expect(record?.breadcrumbs[0]?.label).toBe(words);
    expect(record?.description).toBe(words === 'No Place' ? words : undefined);
    expect(readArticle({ title: words })?.title).toBe(words);
  },
);
