import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNameMatcher, mapStrings, omitFields, omitPersons, redactCopies, redactLinks, WITHHELD_TEXT } from './redaction.ts';

it('createNameMatcher replaces a name in every form, but not a longer name that begins with it', () => {
  const names = createNameMatcher(['Zoë O’Quay']);
  const text = 'Zoë O’Quay, zoë  o’quay; O’Quay, Zoë. Zoë O’Quays house. /authors/Zo%C3%AB%20O%E2%80%99Quay/ Zoe\u0308 O’Quay';
  expect(names.redact(text)).toBe(
    `${WITHHELD_TEXT}, ${WITHHELD_TEXT}; ${WITHHELD_TEXT}. Zoë O’Quays house. /authors/${WITHHELD_TEXT}/ ${WITHHELD_TEXT}`,
  );
  expect([names.matches('by Ada'), names.matches('by ZOË O’QUAY')]).toEqual([false, true]);
  expect(createNameMatcher(['Doe, Jane']).redact('Jane Doe')).toBe(WITHHELD_TEXT);
});

it('createNameMatcher replaces names in scripts without spaces inside sentences, and with or without a space', () => {
  const names = createNameMatcher(['岡田花子', '李 小龍', '김철수', 'エミリー・ブラウン']);
  expect(names.redact('私は岡田花子です。岡田　花子さん、岡田\n花子。李小龍は김철수가エミリー・ブラウンと')).toBe(
    `私は${WITHHELD_TEXT}です。${WITHHELD_TEXT}さん、${WITHHELD_TEXT}。${WITHHELD_TEXT}は${WITHHELD_TEXT}가${WITHHELD_TEXT}と`,
  );
  expect(names.matches('岡田と花子')).toBe(false);
});

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

it('createNameMatcher finds a name after the end of a line that upstream wrote as a backslash and a letter', () => {
  const names = createNameMatcher(['Ada Quill']);
  expect(names.redact('Vane, Leif\\nQuill, Ada\\nThorn, Mara')).toBe(`Vane, Leif\\n${WITHHELD_TEXT}\\nThorn, Mara`);
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
