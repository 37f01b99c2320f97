import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-ris';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { findCslErrors } from '../../../tests/support/csl-data.ts';
import { disarmFormulas } from '../../model/text/csv.ts';
import { toOneLine } from '../../model/text/legible.ts';
import type { Citing } from './saved-citations.ts';
import { escapeMarkdown } from './saved-documents.ts';
import { FORMATS } from './saved-exports.ts';
import { type SavedEntry, toEntries } from './saved-list.ts';

const CITING: Citing = {
  title: 'Saved items',
  archive: 'Lantern Islands',
  clipTimes: '#–#',
  language: 'en',
  addressOf: ({ path, at = '' }) => `https://mirror.example/${path}${at}`,
  liveAddressOf: ({ id }) => `https://archive.example/${id}/`,
};
const ITEM = { id: 'a-1', path: 'objects/a-1.html', title: 'Nets', kind: 'Photograph', date: '1942', collection: 'Harbor' };
const CITED = { type: 'ART', authors: [{ name: 'Fairtide, Hugo' }], year: 1942, accessed: '2026-11-29' };
const noted = (note: string, heading = 'Boats') =>
  toEntries([{ heading }, { ...ITEM, cited: CITED, at: '#t=83,97', note }, { ...ITEM, cited: CITED, at: '#t=5' }]);
const LIST = noted('Who is the second man?\n\nAsk Hugo.');
const write = (format: keyof typeof FORMATS, list: readonly SavedEntry[]) => FORMATS[format].format(list, CITING);

/** Texts with what is special in any of the formats. */
const NOTES = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\\`*_{}[]()<>#+-.!|~$&=:;,"\'@%^/ \n\t\r'),
    fc.constantFrom('ER  - ', '1. ', '](x)', '</p><script>', '\n\n', '}\n@misc{x,', ';=1', 'é', '日'),
  ),
  maxLength: 40,
});

describe('an export of a list', () => {
  it('has headings, moments and notes in the order of the reader, as text and Markdown', () => {
    expect(
      write('list', LIST)
        .split('\n\n')
        .map((block) => block.split('\n')[0]),
    ).toEqual([
      'Boats',
      expect.stringMatching(/^Fairtide, Hugo\. “Nets\.” Photograph, 1942\./),
      'Ask Hugo.',
      expect.stringMatching(/^Fairtide, Hugo\./),
    ]);
    expect(write('list', LIST)).toContain('/objects/a-1.html#t=83,97\n1:23–1:37\nWho is');
    const html = new MarkdownIt({ html: true, linkify: false }).render(write('markdown', LIST));
    expect(html.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ')).toMatch(
      /^ Saved items Lantern Islands Boats Nets · Photograph, 1942 · Harbor · 1:23–1:37 Fairtide.* Who is the second man\? Ask Hugo\. Nets · .*0:05 /,
    );
    expect(html).toContain('<a href="https://mirror.example/objects/a-1.html#t=83,97">Nets</a>');
  });

  it('has any text as text in Markdown', () => {
    const markdown = new MarkdownIt({ html: true, linkify: false });
    fc.assert(
      fc.property(NOTES, (text) => {
        const shown = toOneLine(text);
        fc.pre(shown !== '');
        const [, inline, ...rest] = markdown.parse(escapeMarkdown(text), {});
        expect(rest.map(({ type }) => type)).toEqual(['paragraph_close']);
        expect((inline?.children ?? []).map(({ content }) => content).join('')).toBe(shown);
      }),
    );
  });

  it('has any note in one quotation in Markdown, and no tag in the page', () => {
    const markdown = new MarkdownIt({ html: true, linkify: false });
    fc.assert(
      fc.property(NOTES, NOTES, (note, heading) => {
        const list = noted(note, heading);
        const types = markdown.parse(write('markdown', list), {}).map(({ type }) => type);
        expect(types.filter((type) => /code|html|hr|table|ordered/.test(type))).toEqual([]);
        expect(types.filter((type) => type === 'blockquote_open')).toHaveLength(note.trim() === '' ? 0 : 1);
        const tags = write('html', list).match(/<\/?\w+/g) ?? [];
        const expected = write('html', noted(note === '' ? '' : 'x', 'y')).match(/<\/?\w+/g);
        expect(tags).toEqual(expected);
      }),
    );
  });

  it('has any note in its cell of CSV, and no formula', () => {
    fc.assert(
      fc.property(NOTES, NOTES, (note, heading) => {
        const rows = parse<Record<string, string>>(write('csv', noted(note, heading)), { columns: true, bom: true });
        expect(rows.map((row) => [row['heading'], row['moment'], row['note']])).toEqual([
          [disarmFormulas(heading), '1:23–1:37', disarmFormulas(note)],
          [disarmFormulas(heading), '0:05', ''],
        ]);
      }),
    );
  });

  it('has each record once for reference managers, with all notes and moments', () => {
    expect(write('ris', LIST)).toMatch(
      /^TY {2}- ART\n[\s\S]*N1 {2}- 1:23–1:37: Who is the second man\? Ask Hugo\.\nN1 {2}- 0:05\nKW {2}- Boats\nER {2}-\n$/,
    );
    expect(write('bibtex', LIST)).toMatch(
      /^@misc\{a-1,\n[\s\S]*\tannote = \{1:23–1:37: Who is the second man\? Ask Hugo\. \/ 0:05\},\n\tkeywords = \{Boats\},\n\}\n$/,
    );
    expect(JSON.parse(write('csl', LIST))).toEqual([
      expect.objectContaining({
        ...{ id: 'a-1', type: 'graphic', title: 'Nets', author: [{ family: 'Fairtide', given: 'Hugo' }] },
        ...{ issued: { 'date-parts': [[1942]] }, accessed: { 'date-parts': [[2026, 11, 29]] } },
        ...{ note: '1:23–1:37: Who is the second man?\n\nAsk Hugo.\n0:05', keyword: 'Boats' },
      }),
    ]);
  });

  it('adds notes to the citations that pages have', () => {
    const citations = {
      RIS: 'TY  - ART\nTI  - Nets\nER  -\n',
      BibTeX: '@misc{a-1,\n\ttitle = {Nets},\n}',
      'CSL-JSON': '[{"id": "a-1", "type": "graphic", "note": "Own"}]',
    };
    const list = toEntries([{ ...ITEM, citations, note: 'Mine $& {' }]);
    expect(write('ris', list)).toBe('TY  - ART\nTI  - Nets\nN1  - Mine $& {\nER  -\n');
    expect(write('bibtex', list)).toBe('@misc{a-1,\n\ttitle = {Nets},\n\tannote = {Mine \\$\\& (},\n}\n');
    expect(JSON.parse(write('csl', list))).toEqual([{ id: 'a-1', type: 'graphic', note: 'Own\nMine $& {' }]);
  });

  it('is read by another program, with any note, as one reference', () => {
    fc.assert(
      fc.property(NOTES, NOTES, (note, heading) => {
        const list = noted(note, heading);
        for (const [format, forceType] of [
          ['ris', '@ris/file'],
          ['bibtex', '@bibtex/text'],
        ] as const)
          expect(plugins.input.chain(write(format, list), { forceType })).toHaveLength(1);
        const csl = JSON.parse(write('csl', list)) as Array<Record<string, unknown>>;
        expect(csl.map(findCslErrors)).toEqual([[]]);
      }),
      { numRuns: 30 },
    );
  });
});
