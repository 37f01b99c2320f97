import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WITHHELD_TEXT } from './name-matcher.ts';
import { mapStrings, omitFields, omitPersons, redactCopies, redactLinks } from './redaction.ts';

it('redactLinks replaces links and their text, closed or not, and leaves other links', () => {
  const isWithheld = (href: string) => href.includes('demo-1');
  const cut = (html: string) => redactLinks(html, isWithheld);
  expect(cut('a <a href="/demo-1/">The <b>title</b></a> b <a href="/demo-2/">c</a>')).toBe(
    `a ${WITHHELD_TEXT} b <a href="/demo-2/">c</a>`,
  );
  expect(cut('<p>a <a href="/demo-1/">The title</p>q')).toBe(`<p>a ${WITHHELD_TEXT}</p>q`);
  expect(cut('<a href="/demo-1/">The title')).toBe(WITHHELD_TEXT);
  expect(cut('<A HREF=/demo-1/>x</A><a href="/demo-1/">y</a>')).toBe(`${WITHHELD_TEXT}${WITHHELD_TEXT}`);
  // What is not a tag for readers must not hide one.
  expect(cut('<illegible <a href="/demo-1/">The title</a>')).toBe(`&lt;illegible ${WITHHELD_TEXT}`);
  expect(cut('<illegible> <a href="/demo-2/">c</a>')).toBe('<illegible> <a href="/demo-2/">c</a>');
});

it('redactLinks leaves no text of a withheld link in any context', () => {
  const part = fc.constantFrom('<p>', '</p>', 'x ', '<a href="/other/">', '</a>', '<b>', '</b>', '&amp;', '<a>');
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (before, after) => {
      const html = `${before.join('')}<a href="/demo-1/">SECRET</a>${after.join('')}`;
      expect(redactLinks(html, (href) => href.includes('demo-1'))).not.toContain('SECRET');
    }),
  );
});

it('omitFields removes a field and its copies, and mapStrings returns the same payload if nothing changes', () => {
  const payload = { id: 'a', topics: [1], topics_id: ['1'], search_hidden: 'words', title: 't' };
  expect(omitFields(payload, new Set(['topics']))).toEqual({ id: 'a', title: 't' });
  expect(omitFields({ id: 'a' }, new Set())).toEqual({ id: 'a' });
  expect(mapStrings(payload, (text) => text)).toBe(payload);
  expect(mapStrings({ a: ['x', { b: 'x' }], n: 1 }, (text) => `${text}!`)).toEqual({ a: ['x!', { b: 'x!' }], n: 1 });
});

it('omits persons and records from lists that PHP has written as objects', () => {
  const lists = {
    creators: { 0: { namepart: 'Doe' }, 2: { namepart: 'Roe' } },
    breadcrumbs: { 1: { id: 'demo-1' }, 2: { id: 'demo-2' } },
  };
  expect(omitPersons(lists, (name) => name === 'Doe')['creators']).toEqual([{ namepart: 'Roe' }]);
  expect(
    redactCopies(
      lists,
      (id) => id === 'demo-1',
      () => new Set(),
    )['breadcrumbs'],
  ).toEqual([{ id: 'demo-2' }]);
  expect(
    redactCopies(
      lists,
      () => false,
      () => new Set(),
    ),
  ).toBe(lists);
});
