import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readDesign } from './read-design.ts';

const directory = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

it.each([
  ['name,photo\ncreators,x\ngenre,y\n', ['fields.csv: the column "photo" must be name, label or section.']],
  ['name\ngenre\ngenre\n', ['fields.csv, line 3: "name" must not repeat "genre".']],
])('refuses a table of fields in plain sentences: %j', async (csv, sentences) => {
  writeFileSync(join(directory, 'fields.csv'), csv);
  const found: string[] = [];
  await readDesign({ fields: 'fields.csv' }, directory, (problems) => void found.push(...problems.map(({ problem }) => problem)));
  expect(found).toEqual(sentences.map((sentence) => `"design.fields": ${sentence}`));
});
