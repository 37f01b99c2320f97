import { expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { createLocales, type Locale } from '../language/locale.ts';
import { readFields } from './fields.ts';

const [english, spanish] = createLocales(['en', 'es']) as [Locale, Locale];
const fieldsOf = (raw: Record<string, unknown>, locale = english) =>
  new Map(
    readFields(parseRecord({ id: 'demo-org-1-2', ...raw }) as ArchivalRecord, {}, locale).map(({ field, label, parts }) => [
      field.name,
      { section: field.section, label, texts: parts.map(({ text }) => text) },
    ]),
  );

it('lists addresses for programs by their labels, in the technical section only', () => {
  const url = 'https://demo.example/api/0.2/demo-org-1-2';
  const fields = fieldsOf({
    links: { html: url },
    links_children: `${url}/children/`,
    links_thumb: `${url}.jpg`,
    links_zip: 'x',
  });
  expect(fields.get('links')).toEqual({
    section: 'technical',
    label: english.t.fields.links,
    texts: [`Page: ${url}`, `Children: ${url}/children/`, `Thumbnail: ${url}.jpg`, 'zip: x'],
  });
  expect([...fields.keys()].filter((name) => name.startsWith('links_'))).toEqual([]);
});

it('shows no words that say that a value is missing, and “unknown” as a date', () => {
  const fields = fieldsOf({
    extent: 'Extent Unknown',
    location: 'unknown',
    credit: 'n/a',
    creation: 'Unknown',
    scopecontent: ['n/a'],
  });
  expect([...fields.keys()]).toEqual(['creation', 'date_words', 'id']);
});

it('shows a list as its elements, and texts by language in that of the page', () => {
  const raw = { credit: { en: 'Gift', es: 'Donación' }, scopecontent: ['One.', 'Two.'], creation: ['1942', '1943'] };
  const fields = fieldsOf(raw, spanish);
  expect(fields.get('credit')?.texts).toEqual(['Donación']);
  expect(fields.get('scopecontent')?.texts).toEqual(['One.', 'Two.']);
  expect(fields.get('creation')?.texts).toEqual(['1942; 1943']);
});

it('shows a day by the other dates of the record, and the words of the archive among the technical fields', () => {
  const fields = fieldsOf({ creation: '3/4/1942', digitize_date: '10/30/2003' });
  expect(fields.get('creation')?.texts).toEqual(['March 4, 1942']);
  expect(fields.get('digitize_date')?.texts).toEqual(['October 30, 2003']);
  expect(fields.get('date_words')?.texts).toEqual(['3/4/1942']);
});

it('does not repeat the dates of a period that are its name', () => {
  const chronology = [
    { term: '1960-1969', startdate: '1960-01-01 00:00:00.0' },
    { term: '1900-1909', startdate: '1900-01-01 00:00:00.0', enddate: '1909-01-01 00:00:00.0' },
    { term: 'Before 1900', startdate: '1900-01-01 00:00:00.0' },
    { term: '1960-present', startdate: '1960-01-01 00:00:00.0' },
    { term: 'The flood', startdate: '1942-05-01 00:00:00.0' },
  ];
  expect(fieldsOf({ chronology }).get('chronology')?.texts).toEqual([
    '1960–1969',
    '1900–1909',
    'before 1900',
    '1960-present',
    'The flood (May 1, 1942)',
  ]);
});

it('shows the text of an object that has nothing else to say, and other objects as JSON', () => {
  const credit = [{ name: 'Harbour Press' }, { '#text': 'Demo', id: 1 }, { city: 'Alder Bay', country: 'Demoland' }];
  expect(fieldsOf({ credit }).get('credit')?.texts).toEqual([
    'Harbour Press',
    'Demo',
    '{"city":"Alder Bay","country":"Demoland"}',
  ]);
  expect(fieldsOf({ rights: { code: 'cc' } }).get('rights')?.texts).toEqual(fieldsOf({ rights: 'cc' }).get('rights')?.texts);
});
