import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ListedEntry } from '../catalogue/entries.ts';
import type { SettingProblem } from '../model/setting-problem.ts';
import { locateNotices, readNotices } from './read-notices.ts';

const directory = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
writeFileSync(join(directory, 'label.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>');
writeFileSync(join(directory, 'text.csv'), 'a,b');
afterAll(() => rmSync(directory, { recursive: true }));

const NOTICE = { kind: 'label', ids: ['demo-a-1-2'], title: 'A label' };
/** Throws the problems as sentences. */
const report = (problems: readonly SettingProblem[]) => {
  if (problems.length > 0) throw new Error(problems.map(({ problem }) => problem).join('\n'));
};
const problemOf = (notices: unknown) =>
  readNotices(notices, directory, report).then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('the setting', () => {
  it.each([
    [[{ ...NOTICE, kind: 'advice' }], '"notices.0.kind" must be one of "warning", "label".'],
    [
      [{ ...NOTICE, title: undefined }],
      /^"notices\.0\.title" must be text of at most 200 characters, or such texts by language.*\.$/,
    ],
    [[{ ...NOTICE, title: {} }], /^"notices\.0\.title" must be text/],
    [[NOTICE, { ...NOTICE, title: { tlh: 'x' } }], '"notices.1.title" has no setting "tlh". There are only "en", "es", "ja", "fr", "ar".'],
    [[{ ...NOTICE, ids: undefined }], '"notices.0" needs the IDs of records in "ids" or "collections".'],
    [[{ ...NOTICE, ids: ['no id'] }], '"notices.0.ids.0" must be the ID of a record such as demo-org-1-2.'],
    [[{ ...NOTICE, ids: [] }], '"notices.0.ids" must be a list of IDs, as in ["demo-org-1-2"].'],
    [[{ ...NOTICE, link: 'label' }], '"notices.0.link" must be a URL that begins with https:// or http://.'],
    [[{ ...NOTICE, link: 'https://[' }], '"notices.0.link" must be a URL that begins with https:// or http://.'],
    [[{ ...NOTICE, colors: 'red' }], /^"notices\.0" has no setting "colors"\. There are only "kind", .*, "link"\.$/],
    [NOTICE, /^"notices" must be a list, as in/],
    [
      [{ ...NOTICE, image: 'https://labels.example/tk.svg' }],
      '"notices.0.image": https://labels.example/tk.svg is not a local file. Download it, and write the path of the file.',
    ],
    [
      [{ ...NOTICE, image: 'nothing.svg' }],
      '"notices.0.image": the file nothing.svg does not exist. Paths are relative to the directory of the configuration.',
    ],
    [[{ ...NOTICE, image: 'text.csv' }], '"notices.0.image": text.csv is not an image in SVG, PNG, JPEG or WebP.'],
  ])('is refused in one sentence: %j', async (notices, problem) => {
    const found = await problemOf(notices);
    if (typeof problem === 'string') expect(found).toBe(problem);
    else expect(found).toMatch(problem);
    expect(found).not.toContain('\n');
  });

  it('has its image under a name made from the bytes', async () => {
    const { notices, files } = await readNotices([{ ...NOTICE, image: 'label.svg' }], directory, report);
    expect(notices[0]?.image).toEqual({
      path: expect.stringMatching(/^assets\/notices\/[\da-f]{12}\.svg$/),
      width: 20,
      height: 10,
    });
    expect([...files.keys()]).toEqual([notices[0]?.image?.path]);
  });
});

describe('the records', () => {
  const models: Record<string, [ListedEntry['model'], string?]> = {
    demo: ['repository'],
    'demo-a-1': ['collection'],
    'demo-a-1-2': ['entity', 'demo-a-1'],
    'demo-a-1-2-master-0123456789': ['file', 'demo-a-1-2'],
  };
  const listed = (id: string) => {
    const [model, parent] = models[id] ?? [];
    return model && ({ id, model, parent } as ListedEntry);
  };
  const locate = async (notice: object) =>
    locateNotices(
      await readNotices([{ ...NOTICE, ...notice }], directory, report),
      { listed, withMedia: () => [] },
      (id) => id === 'demo-a-7',
    );

  it('are items, collections and files, and those that the snapshot has and the site may not show', async () => {
    const [notice] = await locate({ ids: ['demo-a-1-2-master-0123456789', 'demo-a-7'], collections: ['demo-a-1'] });
    expect(notice?.ids).toEqual(['demo-a-1-2-master-0123456789', 'demo-a-1-2', 'demo-a-7', 'demo-a-1']);
  });

  it.each([
    [{ ids: ['demo-a-8'] }, '"notices.0.ids": the record demo-a-8 is not in the snapshot.'],
    [{ ids: ['demo'] }, '"notices.0.ids": demo is above the collections. Name its collections.'],
    [{ collections: ['demo-a-1-2'] }, '"notices.0.collections": demo-a-1-2 is not a collection. Name it in "ids".'],
  ])('are refused: %j', async (notice, problem) => {
    await expect(locate(notice)).rejects.toThrow(problem);
  });
});
