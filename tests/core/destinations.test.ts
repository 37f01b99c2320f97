/** Pages of topics, facilities and people as destinations: what the guide says, the terms above, the first records, faces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

const page = (path: string) => readFileSync(join(inject('mirror').dist, path), 'utf8');
const textsOf = (html: string, pattern: RegExp) =>
  Array.from(html.matchAll(pattern), ([, text = '']) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
const FLOOD = 'browse/topic/31.html';
const FESTIVALS = 'browse/topic/21.html';

it('the heading of a topic is its last step, and the terms above it are in the breadcrumbs', () => {
  const html = page(FLOOD);
  expect(textsOf(html, /<h1>(.*?)<\/h1>/gs)).toEqual(['Flood of 1947']);
  const [trail = ''] = textsOf(html, /<nav class="breadcrumbs"[^>]*>(.*?)<\/nav>/gs);
  expect(trail).toBe('Browse Topics Disasters Flood of 1947');
  const [linked = ''] = textsOf(page('browse/topic/12.html'), /<nav class="breadcrumbs"[^>]*>(.*?)<\/nav>/gs);
  expect(linked).toMatch(/^Browse Topics Work and livelihood /);
});

it('a topic begins with the guide page of its name, to which it links once', () => {
  const html = page(FLOOD);
  const [guide = ''] = textsOf(html, /<p class="term-text"[^>]*>(.*?)<\/p>/gs);
  expect(guide).toMatch(/^What the islands remember about Flood of 1947\..* Read on in the guide$/);
  expect(html.split('guide/flood-of-1947.html')).toHaveLength(2);
});

it('a topic with several pages begins with interviews, voices and some records of each other kind, and has all of them folded below', () => {
  const html = page(FESTIVALS);
  expect(textsOf(html, /<h2[^>]*>(.*?)<\/h2>/gs).slice(0, 5)).toEqual([
    expect.stringMatching(/^Interviews \d+$/),
    'Voices',
    expect.stringMatching(/^Photographs \d+$/),
    expect.stringMatching(/^Miscellaneous documents \d+$/),
    expect.stringMatching(/^Interview segments \d+$/),
  ]);
  const [all = ''] = Array.from(html.matchAll(/<details class="all-records">.*?<\/details>/gs), ([list]) => list);
  expect(textsOf(all, /<summary>(.*?)<\/summary>/gs)).toEqual([expect.stringMatching(/^All records \d+$/)]);
  expect(all.split('<li class="card"').length).toBeGreaterThan(10);
  for (const [, section = ''] of html.replace(all, '').matchAll(/<section>(.*?)<\/section>/gs))
    expect(section.split('<li class="card"').length - 1).toBeLessThanOrEqual(8);
});

it('a search within records is a button, also within a few', () => {
  for (const path of [FESTIVALS, 'browse/creator/ada-harborow.html'])
    expect(page(path)).toMatch(/class="term-search"[^>]*>Search within these records</);
});

it('the list of people begins with the faces of those who were interviewed, each with a link to the person', () => {
  const html = page('people/index.html');
  const [faces = ''] = Array.from(html.matchAll(/<ul class="faces">(.*?)<\/ul>/gs), ([, list]) => list);
  expect(faces).toContain('people/leif-vane.html"');
  expect(textsOf(faces, /<span class="face-name">(.*?)<\/span>/gs)).toContain('Vane, Leif');
  expect(faces.split('<img')).toHaveLength(faces.split('<li>').length);
});
