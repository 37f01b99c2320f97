import { expect, it } from 'vitest';
import { readNarrator } from './narrator.ts';

const narrator = {
  id: '12',
  model: 'narrator',
  links: { html: 'https://catalog.example/narrators/12/', img: 'https://catalog.example/media/narrators/qada.jpg' },
  display_name: 'Ada Quill',
  first_name: 'Ada',
  middle_name: 'Rosa',
  last_name: 'Quill',
  nickname: 'Addie',
  bio: 'Born May 2, 1921.',
  b_date: '1921-05-02T00:00:00',
  d_date: '1999-01-01T00:00:00',
  generation: 'Second',
  birth_location: 'Quay, Oregon',
  nr_id: '88/nr001',
  gender: 'F',
  religion: 'none',
  ethnicity: 'x',
};

it('has the life of a narrator, and nothing of gender, religion and ethnicity', () => {
  expect(readNarrator(narrator)).toEqual({
    id: '12',
    name: 'Ada Quill',
    fullName: 'Ada Rosa Quill',
    nickname: 'Addie',
    born: '1921-05-02',
    died: '1999',
    birthPlace: 'Quay, Oregon',
    generation: 'Second',
    biography: 'Born May 2, 1921.',
    nr: '88/nr001',
    portrait: 'https://catalog.example/media/narrators/qada.jpg',
    liveUrl: 'https://catalog.example/narrators/12/',
  });
});

it('takes January 1 for a year without a day, unless the biography names the day', () => {
  const born = (bio: string) => readNarrator({ ...narrator, bio, b_date: '1923-01-01T00:00:00' })?.born;
  for (const bio of ['Born 1923.', 'Married January 11, 1950, born 31 January.']) expect(born(bio)).toBe('1923');
  for (const day of ['January 1', 'Jan. 1st', '1 January', '1st of January'])
    expect(born(`Born ${day}, 1923, in Quay.`)).toBe('1923-01-01');
});

it('has no death in the year of birth or before, which is a mistake', () => {
  for (const d_date of ['1921-09-01T00:00:00', '1913-09-20T00:00:00'])
    expect(readNarrator({ ...narrator, d_date })).not.toHaveProperty('died');
  expect(readNarrator({ ...narrator, b_date: 'about 1921', d_date: '1999' })).toHaveProperty('died', '1999');
});

it('has names that are also words for a missing value', () => {
  expect(readNarrator({ id: 3, first_name: 'Nan', last_name: 'Null', generation: 'Unknown' })).toEqual({
    id: '3',
    name: 'Nan Null',
  });
});

it.each([
  ['//files.example/a b.jpg', 'https://files.example/a%20b.jpg'],
  ['HTTPS://Files.example/a.jpg', 'https://files.example/a.jpg'],
  ['../../media/a.jpg', 'https://catalog.example/media/a.jpg'],
])('has the portrait %j, as a browser reads it', (img, portrait) =>
  expect(readNarrator({ ...narrator, links: { ...narrator.links, img } })?.portrait).toBe(portrait),
);

it('has no portrait if upstream gives only the directory, and reads numbers as IDs', () => {
  const links = { img: 'https://catalog.example/media/narrators/' };
  expect(readNarrator({ id: 3, first_name: 'Bram', last_name: 'Vane', links })).toEqual({ id: '3', name: 'Bram Vane' });
  expect([readNarrator({ id: 3 }), readNarrator([]), readNarrator(null), readNarrator({ display_name: 'Ada' })]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
