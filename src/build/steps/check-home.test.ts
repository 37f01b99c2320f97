import { describe, expect, it } from 'vitest';
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { SettingProblem } from '../../model/setting-problem.ts';
import { openNotices } from '../../site/notices/notices.ts';
import { checkLeadRecord } from './check-home.ts';

const IMAGES: Readonly<Record<string, string[]>> = {
  'demo-a-1-1': ['https://archive.example/1.jpg'],
  'demo-a-1-2': ['https://archive.example/2.jpg'],
  'demo-a-1-3': ['https://archive.example/2.jpg'],
  'demo-a-1-4': [],
};
const entries = Object.entries(IMAGES).map(
  ([id, mediaUrls]) => ({ id, mediaUrls, ancestors: ['demo-a-1'] }) as unknown as ListedEntry,
);
const listed = (id: string) => entries.find((entry) => entry.id === id);
const notices = openNotices([
  {
    kind: 'warning',
    ids: ['demo-a-1-2'],
    title: 'A warning',
    text: undefined,
    link: undefined,
    image: undefined,
    key: 'a',
    sharedImages: { 'demo-a-1-3': ['https://archive.example/2.jpg'] },
  },
]);

describe('the record of the lead image', () => {
  const problemsWith = (leadRecord: string | undefined) => {
    const found: SettingProblem[] = [];
    const report = (problems: readonly SettingProblem[]) => void found.push(...problems);
    checkLeadRecord({ design: { leadRecord }, report }, { listed }, notices);
    return found;
  };

  it('may be left out, or be one with an image', () => {
    expect(problemsWith(undefined)).toEqual([]);
    expect(problemsWith('demo-a-1-1')).toEqual([]);
  });

  it.each([
    ['demo-a-1-9', 'the record demo-a-1-9 is not in this site: it is withheld, or not in the snapshot.'],
    ['demo-a-1-4', 'the record demo-a-1-4 has no image. Choose another one.'],
    ['demo-a-1-2', 'a content warning covers the image of demo-a-1-2. Choose another record.'],
    ['demo-a-1-3', 'the image of demo-a-1-3 is also that of a record with a notice. Choose another record.'],
  ])('is refused in one sentence: %s', (id, problem) => {
    expect(problemsWith(id)).toEqual([
      { path: ['design', 'leadImage', 'record'], problem: `"design.leadImage.record": ${problem}` },
    ]);
  });
});
