import { expect, it } from 'vitest';
import { termSlug } from '../../model/text/slug.ts';
import { joinPlaces, withPlaces } from './places.ts';

const place = (label: string, id?: string) => ({ slug: termSlug({ id, term: label }), label });
const joined = (...places: Array<ReturnType<typeof place>>) => Object.fromEntries(joinPlaces(places));

it('has one slug for all forms of an ID of the thesaurus of places', () => {
  const forms = [
    '7001234',
    'tgn:7001234',
    '7001234-place',
    'tgn:7001234-place',
    '7001234.json',
    'http://vocab.getty.edu/tgn/7001234',
    'https://vocab.getty.edu/page/tgn/7001234',
    '//vocab.getty.edu/tgn/7001234/',
    'http://vocab.getty.edu/tgn/7001234-place',
    'http://vocab.getty.edu/tgn/7001234.json',
    'https://vocab.getty.edu/resource/tgn/7001234',
    'http://www.getty.edu/vow/TGNFullDisplay?find=&subjectid=7001234',
    'http://www.getty.edu/vow/TGNFullDisplay?subjectid=7001234&english=Y',
  ];
  expect(new Set(forms.map((id) => place('Lantern Quay', id).slug))).toEqual(new Set(['7001234']));
  for (const other of ['http://vocab.example/tgn/7001234', 'http://vocab.getty.edu/aat/7001234', '7001234-a'])
    expect(place('Quay', other).slug).toMatch(/^u--/);
});

it('joins the same words without an ID, and with a number of the archive’s own', () => {
  const bare = place('Lantern Quay, Oregon');
  expect(joined(place('Lantern Quay, Oregon', '7001234'), bare, place('Lantern quay, Oregon', '7'))).toEqual({
    [bare.slug]: '7001234',
    7: '7001234',
  });
  expect(joined(place('Lantern Quay, Oregon', '7'), bare)).toEqual({ [bare.slug]: '7' });
});

it('does not decide which of two places has the words', () => {
  expect(joined(place('Quay', '7001234'), place('Quay', '7009999'), place('Quay'), place('Quay', '7'))).toEqual({});
  const [first, second] = [place('Quay', '7001234'), place('Ford', '7009999')];
  expect(joined(first, second, place('Quay', '7'), place('Ford', '7'))).toEqual({});
});

it('joins nothing by a number that different words have', () => {
  const [tgn, bare] = [place('Quay', '7001234'), place('Quay')];
  expect(joined(tgn, bare, place('Quay', '7'), place('Ford', '7'), place('Ford'))).toEqual({ [bare.slug]: '7001234' });
});

it('shows a place once that a record names in two ways, and finds it by each', () => {
  const [bare, known] = [place('Lantern Quay, Oregon'), place('Lantern Quay, Oregon', '7001234')];
  const aliases = joinPlaces([bare, known]);
  expect(withPlaces({ place: [bare, known] }, aliases).place).toEqual([
    { slug: '7001234', label: 'Lantern Quay, Oregon', aliases: [bare.slug] },
  ]);
});
