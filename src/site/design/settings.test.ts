import { describe, expect, it } from 'vitest';
import { checkerOf } from '../../model/setting-problem.ts';
import { designSchema } from './settings.ts';

const sentencesOf = (design: unknown) => checkerOf('design', designSchema)(design).map(({ problem }) => problem);

describe('the setting design', () => {
  it.each([
    [{ facets: ['topic', 'place', 'topic'] }, '"design.facets.2" must not repeat "topic".'],
    [{ home: ['lead', 'map', 'lead'] }, '"design.home.2" must not repeat "lead".'],
    [{ fields: [{ name: 'genre' }, { name: 'genre', section: 'none' }] }, '"design.fields.1.name" must not repeat "genre".'],
    [{ contact: 'https://[' }, '"design.contact" must be an e-mail address or a URL.'],
    [{ contact: 'https://a b' }, '"design.contact" must be an e-mail address or a URL.'],
  ])('refuses %j in one sentence', (design, problem) => {
    expect(sentencesOf(design)).toEqual([problem]);
  });

  it.each([1_001, 0, 400.5, '100 9999', '900 100', '0 400', 'bold'])('refuses the font weight %j', (weight) => {
    expect(sentencesOf({ fonts: { text: [{ file: 'a.woff2', weight }] } })).toEqual([
      '"design.fonts.text.0.weight" must be a whole number from 1 to 1,000, or two of them for a variable font, as in "100 900".',
    ]);
  });

  it('accepts an address or a URL as contact, and lists in which each name is once', () => {
    for (const contact of ['desk@example.org', 'https://example.org/desk?a=1'])
      expect(sentencesOf({ contact, facets: ['topic', 'place'], home: [], fields: [{ name: 'genre' }] })).toEqual([]);
  });
});

it('names each unknown setting', () => {
  expect(sentencesOf({ hue: 'red', logos: 'x' })).toEqual([
    expect.stringMatching(/^"design" has no setting "hue"\. There are only "title", .*, "stylesheet"\.$/),
    '"design" has no setting "logos". Did you mean "logo"?',
  ]);
});
