import { describe, expect, it } from 'vitest';
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
    ['an ID', { id: 'demo' }, undefined],
    ['lists in lists', [['a']], undefined],
  ])('reads %s', (_, value, read) => expect(text(value)).toBe(read));

  it('does not throw at a value that is nested thousands of levels deep', () => {
    let value: unknown = 'words';
    for (let depth = 0; depth < 20_000; depth++) value = depth % 2 === 0 ? [value] : { en: value };
    expect(text(value)).toBeUndefined();
    expect(text([value])).toBeUndefined();
  });

  it('prefers the language of the page', () => {
    expect(statedText({ en: 'Title', 'es-MX': 'Título' }, 'es')).toBe('Título');
  });

  it('gives a record its title and dates', () => {
    const record = parseRecord({ id: 'demo-org-1-1', title: { en: 'English title', es: 'Título' }, creation: ['1942', '1943'] });
    expect(record).toMatchObject({ title: 'English title', creation: '1942; 1943' });
  });
});

it.each([
  ...['Unknown', 'unknown.', '[Unknown]', 'n/a', 'N/A', 'Extent Unknown', 'Date unknown', 'unknown extent'],
  ...['DESCRIPTION TEXT HERE', 'Enter description here', 'Text goes here', 'TBD', 'not available', 'No description available'],
  ...['null', '-', '—', '?', '???', 'desconocido', '不明'],
])('reads “%s” as missing', (words) => expect(text(words)).toBeUndefined());

it.each([
  ...[
    'Unknown soldier',
    'The unknown',
    'None',
    'Untitled',
    'Here',
    'We lived here',
    'Nan Ito',
    'n',
    'Not known to us, this boat',
    'A-',
  ],
  'No restrictions',
])('keeps “%s”', (words) => expect(text(words)).toBe(words));
