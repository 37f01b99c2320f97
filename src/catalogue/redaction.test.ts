import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNames, WITHHELD, withoutFields, withoutLinks, withStrings } from './redaction.ts';

it('createNames replaces a name in every form, but not a longer name that begins with it', () => {
  const names = createNames(['Zoë O’Quay']);
  const text = 'Zoë O’Quay, zoë  o’quay; O’Quay, Zoë. Zoë O’Quays house. /authors/Zo%C3%AB%20O%E2%80%99Quay/ Zoe\u0308 O’Quay';
  expect(names.without(text)).toBe(`${WITHHELD}, ${WITHHELD}; ${WITHHELD}. Zoë O’Quays house. /authors/${WITHHELD}/ ${WITHHELD}`);
  expect([names.in('by Ada'), names.in('by ZOË O’QUAY')]).toEqual([false, true]);
  expect(createNames(['Doe, Jane']).without('Jane Doe')).toBe(WITHHELD);
});

it('withoutLinks replaces links with their text, closed or not, and leaves other links', () => {
  const isWithheld = (href: string) => href.includes('demo-1');
  const cut = (html: string) => withoutLinks(html, isWithheld);
  expect(cut('a <a href="/demo-1/">The <b>title</b></a> b <a href="/demo-2/">c</a>')).toBe(
    `a ${WITHHELD} b <a href="/demo-2/">c</a>`,
  );
  expect(cut('<p>a <a href="/demo-1/">The title</p>q')).toBe(`<p>a ${WITHHELD}</p>q`);
  expect(cut('<a href="/demo-1/">The title')).toBe(WITHHELD);
  expect(cut('<A HREF=/demo-1/>x</A><a href="/demo-1/">y</a>')).toBe(`${WITHHELD}${WITHHELD}`);
});

it('withoutLinks leaves no text of a withheld link in any context', () => {
  const part = fc.constantFrom('<p>', '</p>', 'x ', '<a href="/other/">', '</a>', '<b>', '</b>', '&amp;', '<a>');
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (before, after) => {
      const html = `${before.join('')}<a href="/demo-1/">SECRET</a>${after.join('')}`;
      expect(withoutLinks(html, (href) => href.includes('demo-1'))).not.toContain('SECRET');
    }),
  );
});

it('withoutFields removes a field and its copies, and withStrings returns the same payload if nothing changes', () => {
  const payload = { id: 'a', topics: [1], topics_id: ['1'], search_hidden: 'words', title: 't' };
  expect(withoutFields(payload, new Set(['topics']))).toEqual({ id: 'a', title: 't' });
  expect(withoutFields({ id: 'a' }, new Set())).toEqual({ id: 'a' });
  expect(withStrings(payload, (text) => text)).toBe(payload);
  expect(withStrings({ a: ['x', { b: 'x' }], n: 1 }, (text) => `${text}!`)).toEqual({ a: ['x!', { b: 'x!' }], n: 1 });
});
