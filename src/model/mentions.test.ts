import { expect, it } from 'vitest';
import { extractIdsFromSource, extractIdsFromTexts } from './mentions.ts';

const BASES = { authors: 'https://guide.example', catalog: 'https://archive.example' };

it.each([
  ['capitals', '<A HREF="https://archive.example/demo-org-1-2/">x</A>'],
  ['a list', ['Quay', '<a href="/demo-org-1-2/">x</a>']],
  ['several languages', { en: '<a href="/demo-org-1-2/">x</a>', ja: '<a href="/demo-org-1-2/">x</a>' }],
])('finds the links in a text with %s', (_, text) => expect(extractIdsFromTexts([text], BASES)).toEqual(['demo-org-1-2']));

it.each([
  'https://archive.example/demo/org/1/2/',
  '//archive.example/demo-org-1-2/',
  'HTTP://archive.example/demo-org-1-2/',
  ' https://archive.example/demo-org-1-2/',
])('finds the record of a source at %j', (url) =>
  expect(extractIdsFromSource({ original_url: url }, 's1', BASES)).toEqual(['demo-org-1-2']),
);
