import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readDesign } from './read-design.ts';

const directory = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const NO_ROWS =
  'fields.csv has no rows. Its first line has the names of the columns: name, label and section; each other line a field.';

it.each([
  ['name,photo\ncreators,x\ngenre,y\n', ['fields.csv: the column "photo" must be name, label or section.']],
  ['', [NO_ROWS]],
  ['creators,Photographer,summary\n', [NO_ROWS]],
  ['name,label\ngenre,Type,x\n', ['fields.csv, line 2: it has not as many values as the first line has columns.']],
  ['name,label\ngenre,"Type\n', ['fields.csv, line 2: a quotation mark is missing, or one within a text is not doubled.']],
  ['name,label\ngenre,a "b"\n', ['fields.csv, line 2: a quotation mark is missing, or one within a text is not doubled.']],
  ['name\ngenre\ngenre\n', ['fields.csv, line 3: "name" must not repeat "genre".']],
])('refuses a table of fields in plain sentences: %j', async (csv, sentences) => {
  writeFileSync(join(directory, 'fields.csv'), csv);
  const found: string[] = [];
  await readDesign({ fields: 'fields.csv' }, directory, (problems) => void found.push(...problems.map(({ problem }) => problem)));
  expect(found).toEqual(sentences.map((sentence) => `"design.fields": ${sentence}`));
});

it.each([
  ['name;label;section\ngenre;"Kind; form";summary\n', 'Kind; form'],
  ['name\tlabel\ngenre\tKind, form\n', 'Kind, form'],
])('reads a table of fields as spreadsheets write it: %j', async (csv, label) => {
  writeFileSync(join(directory, 'fields.csv'), csv);
  const read = await readDesign({ fields: 'fields.csv' }, directory, (problems) => expect(problems).toEqual([]));
  expect(read?.design.fields.map((field) => [field.name, field.label])).toEqual([['genre', label]]);
});

it('refuses images that run something, and fonts that browsers cannot use', async () => {
  const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`;
  writeFileSync(join(directory, 'logo.svg'), svg('<script>alert(1)</script>'));
  writeFileSync(join(directory, 'icon.svg'), svg('<rect onload="alert(1)"/>'));
  const found: string[] = [];
  await readDesign({ logo: 'logo.svg', icon: 'icon.svg' }, directory, (problems) => {
    found.push(...problems.map(({ problem }) => problem));
  });
  const fix = 'and images may only draw. Remove it, or save the image as PNG.';
  expect(found).toEqual([
    `"design.logo": logo.svg has the element script, ${fix}`,
    `"design.icon": icon.svg has the attribute onload, ${fix}`,
  ]);
});

it('refuses a table of fields in another encoding', async () => {
  writeFileSync(join(directory, 'fields.csv'), Buffer.from('name,label\ngenre,Fotograf\xeda\n', 'latin1'));
  const found: string[] = [];
  await readDesign({ fields: 'fields.csv' }, directory, (problems) => void found.push(...problems.map(({ problem }) => problem)));
  expect(found).toEqual(['"design.fields": fields.csv is not in UTF-8. Save the file in this encoding.']);
});
