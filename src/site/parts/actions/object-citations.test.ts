import { expect, it, onTestFinished, vi } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../../model/records.ts';
import { wordingOf } from '../../citation/wording.ts';
import { type BuildContext, handOver, reportDefects } from '../../hand-over.ts';
import { createLocales, type Locale } from '../../language/locale.ts';
import type { ObjectContext } from '../../pages/object/object-context.ts';
import type { Site } from '../../site.ts';
import { createObjectCitations } from './object-citations.ts';

const [locale] = createLocales(['en']) as [Locale];
const site = { facts: { title: 'Demo Archive' }, locale } as Site;
const citationsOf = (raw: Record<string, unknown>, preferredCitation?: string, isOwn = true, where = site) => {
  const record = parseRecord({ id: 'demo-org-1-2', model: 'entity', title: 'Nets', ...raw }) as ArchivalRecord;
  const entry = { model: record.model, preferredCitation: isOwn ? preferredCitation : undefined };
  const context = { entry, trail: [], preferredCitation } as unknown as ObjectContext;
  return createObjectCitations(record, undefined, undefined, context, where);
};

it('gives a plain citation for one that fails, and a line in the report of the build', () => {
  // Only APA says of a work that it is undated.
  const undated = vi.spyOn(wordingOf(locale).words, 'undated', 'get').mockImplementation(() => {
    throw new Error('no initials');
  });
  onTestFinished(() => undated.mockRestore());
  const { citations, defects } = citationsOf({});
  expect(citations.find(({ style }) => style === 'APA')?.text).toBe('Nets. demo-org-1-2, Demo Archive.');
  expect(citations.find(({ style }) => style === 'MLA')?.text).toBe('“Nets.” demo-org-1-2, Demo Archive.');
  const reported: string[][] = [];
  const release = handOver({ sites: [site], addDefect: (...line: string[]) => reported.push(line) } as unknown as BuildContext);
  reportDefects(site, 'objects/demo-org-1-2.html', defects);
  release();
  expect(reported).toEqual([['objects/demo-org-1-2.html', 'its APA citation is a plain one: no initials']]);
});

it('gives first the citation that the archive prefers, and none for organizations', () => {
  const [first] = citationsOf({}, '[Item], Quay Papers').citations;
  expect(first).toEqual({ style: 'preferred', label: 'Preferred citation', text: '[Item], Quay Papers' });
  const inherited = citationsOf({}, 'Courtesy of the Quay Papers', false).citations;
  expect(inherited.slice(0, 2).map(({ style }) => style)).toEqual(['Chicago', 'preferred']);
  expect(citationsOf({ credit: 'Courtesy of the family' }).citations.map(({ style }) => style)).not.toContain('preferred');
  expect(citationsOf({ id: 'demo-org', model: 'organization' })).toEqual({ citations: [], defects: [] });
});

it('cites in the language of the page, and has the citation that the archive prefers verbatim', () => {
  const [spanish] = createLocales(['es']) as [Locale];
  const preferred = 'Courtesy of the Quay Papers, accessed June 2, 2010';
  const { citations } = citationsOf({ creation: 'June 2, 2010' }, preferred, false, { ...site, locale: spanish });
  expect(citations.slice(0, 2).map(({ text }) => text)).toEqual([
    '«Nets». 2 de junio de 2010. demo-org-1-2, Demo Archive.',
    preferred,
  ]);
});
