/** Compares citations with those written by hand after the manuals of the styles. */
import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../src/model/records.ts';
import { createCitations } from '../../src/site/citation/citation.ts';

/** A record, and its citations. */
export interface Case {
  title: string;
  raw: Record<string, unknown>;
  /** Each line is one citation without what all have in common: ID, collection, archive, access date and URL. */
  chicago?: string;
  apa?: string;
  mla?: string;
}

/** Someone with a role. */
export const by = (namepart: string, role?: string, more: object = {}) => ({ namepart, ...(role ? { role } : {}), ...more });
/** Fields of a photograph. */
export const photograph = { genre: 'photograph', format: 'img' };
/** Fields of an interview. */
export const interview = { genre: 'interview', format: 'vh' };
/** Fields of a letter. */
export const letter = { genre: 'correspondence', format: 'doc' };

const COMMON = {
  chicago: ' demo-org-1-2, Harbor, Demo Archive. Accessed November 21, 2026. https://demo.example/x/.',
  apa: ' Harbor (demo-org-1-2), Demo Archive. Retrieved November 21, 2026, from https://demo.example/x/',
  mla: ' Harbor, demo-org-1-2, Demo Archive, https://demo.example/x/. Accessed 21 Nov. 2026.',
};

/** Tests each case, by its name. */
export function testCases(cases: Record<string, Case>): void {
  describe.each(Object.entries(cases))('with %s', (_, { title, raw, ...expected }) => {
    const { texts } = createCitations({
      record: parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw }) as ArchivalRecord,
      title,
      archive: 'Demo Archive',
      collection: 'Harbor',
      url: 'https://demo.example/x/',
      accessed: '2026-11-21T10:00:00.000Z',
    });
    const cited = Object.fromEntries(texts.map(([style, text]) => [style.toLowerCase(), text]));
    for (const style of ['chicago', 'apa'] as const) {
      const own = expected[style];
      if (own !== undefined) it(`is cited in ${style}`, () => expect(cited[style]).toBe(own + COMMON[style]));
    }
    const { mla } = expected;
    // The medium comes last.
    if (mla !== undefined)
      it('is cited in MLA', () => expect(cited['mla']?.startsWith(mla + COMMON.mla), cited['mla']).toBe(true));
  });
}
