/** Every function that reads untrusted text handles any megabyte in less than a second, and leaves nothing illegible. */
import { describe, expect, it } from 'vitest';
import { createAlphabet } from '../catalogue/lists/letters.ts';
import { splitWords } from '../formats/search/searchable-text.ts';
import { readPosition } from '../model/coordinates.ts';
import { readDate } from '../model/dates/read.ts';
import { safeExternalUrl } from '../model/external-url.ts';
import { parseCues } from '../model/media/captions.ts';
import { extractIdsFromHtml } from '../model/mentions.ts';
import { parseRecord } from '../model/records.ts';
import { rightsTermsUrl } from '../model/rights-terms.ts';
import { toOneLine } from '../model/text/legible.ts';
import { hashedSlug, slugOf, termSlug } from '../model/text/slug.ts';
import { naturalSortKey } from '../model/text/sort-key.ts';
import { toPlainText, truncateWords } from '../model/text/text.ts';
import { readTimestamp } from '../model/timestamps.ts';
import { parseDuration } from '../platform/quantities.ts';
import { toSafeHtml } from './text/sanitize.ts';

const MEGABYTE = 1_000_000;
const repeated = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);
const resolve = (href: string) => {
  const outside = safeExternalUrl(href);
  return outside === undefined ? undefined : { href: outside, external: true };
};
const bases = { authors: 'https://demo.example', catalog: 'https://demo.example' };

/** Texts that could make a parser or pattern slow. */
const SLOW_TEXTS: Array<[string, string]> = [
  ['deep, then closed by other tags', `${'<b>'.repeat(80_000)}${'</i>'.repeat(80_000)}`],
  ['deep', repeated('<div>')],
  ['deep, in foreign content', repeated('<svg><math>')],
  ['closed, never opened', repeated('</p>')],
  ['opened, never closed', repeated('<a href="')],
  ['one tag with very many attributes', `<a ${repeated('a1=b ')}>x</a>`],
  ['one tag with very many different attributes', `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')}>x</a>`],
  ['comments in an address', `<a href="https://x.example/${'<!---->'.repeat(140_000)}">x</a>`],
  ['comments', repeated('<!--')],
  ['CDATA', repeated('<![CDATA[')],
  ['CDATA in CDATA', `${'<![CDA'.repeat(80_000)}<![CDATA[${'TA['.repeat(80_000)}`],
  ['processing instructions', repeated('<?x ')],
  ['brackets', repeated('<')],
  ['ampersands', repeated('&')],
  ['unfinished escapes', repeated('&amp')],
  ['escapes', repeated('&#x202e;')],
  ['lists in lists', repeated('<ul><li>')],
  ['elements without visible text', repeated('<script>')],
  ['headings', repeated('<h1>x')],
  ['spaces between letters', `a${repeated(' ')}b`],
  ['line breaks', repeated('\n')],
  ['hyphens', `a${repeated('-')}b`],
  ['combining marks', `a${repeated('\u0301\u0316')}`],
  ['Japanese', repeated('山の灯')],
  ['unpaired surrogates', repeated('\ud800x')],
  ['bidi overrides', repeated('\u202e')],
  ['apostrophes', repeated("o'")],
  ['digits', repeated('9')],
  ['years', repeated('1942-')],
  ['levels', repeated(' -- ')],
  ['quotes', repeated('"')],
  ['capitals', repeated('Ab')],
];

const READERS: Array<[string, (text: string) => unknown]> = [
  ['toPlainText', toPlainText],
  ['sanitize', (text) => toSafeHtml(text, resolve)],
  ['extractIdsFromHtml', (text) => extractIdsFromHtml(text, bases)],
  ['parseCues', (text) => parseCues(`WEBVTT\n\n00:00.000 --> 00:01.000\n${text}`)],
  ['toOneLine', toOneLine],
  ['searchable', (text) => splitWords(toPlainText(text)).join(' ')],
  ['slugs', (text) => [slugOf(toPlainText(text)), hashedSlug(toPlainText(text)), termSlug({ id: text, term: text })]],
  ['dates', readDate],
  ['lengths', parseDuration],
  ['positions', (text) => [readPosition(text, text), readPosition(`34.5${text}`, undefined)]],
  ['timestamps', readTimestamp],
  ['sort keys', naturalSortKey],
  ['rights', (text) => rightsTermsUrl({ raw: { rights: text, rights_statement: `Creative Commons Attribution${text}` } })],
  ['letters', (text) => createAlphabet('sv').letterOf(toPlainText(text))],
  ['shorten', (text) => truncateWords(text, 200)],
  [
    'parseRecord',
    (text) =>
      parseRecord({
        id: 'demo-org-1-2',
        title: text,
        topics: [text],
        geography: [{ id: `"x${text}y"`, term: text }],
        creators: [text],
      }),
  ],
];

describe.each(READERS)('%s', (_, read) => {
  it.each(SLOW_TEXTS)('handles a megabyte of %s', (_, text) => {
    // CPU time, because other programs may run. Quadratic time would be minutes, also on a fast machine.
    const start = process.cpuUsage();
    read(text);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
  });
});

it('shows markup that is nested deeper than 500 levels as text without tags', () => {
  expect(toSafeHtml(`${'<b>'.repeat(600)}words & <i>more`, resolve).trim()).toBe('words &amp;  more');
  expect(toPlainText(`${'<b>'.repeat(600)}words & <i>more`)).toBe('words & more');
  expect(toSafeHtml(`${'<b>'.repeat(400)}words`, resolve)).toContain('<b>words</b>');
});

it('removes control and bidi characters from sanitized HTML, however they are written', () => {
  expect(toSafeHtml('a\u202eb&#x202e;c&#0;d\u0007<i>e&#xffff;</i>', resolve)).toBe('abc\ufffdd<i>e</i>');
});
