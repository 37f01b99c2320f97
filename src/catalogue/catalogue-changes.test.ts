import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { countChangedRecords } from './catalogue-changes.ts';
import { createCatalogueFile } from './catalogue-file.ts';
import type { ObjectEntry } from './entries.ts';

/** Creates a catalogue of records with these titles, by ID. */
function createCatalogue(titles: Record<string, string>, path?: string) {
  const objects = Object.entries(titles).map(
    ([id, title]) => ({ id, title, model: 'entity', sort: 0, narrators: [], facets: {} }) as unknown as ObjectEntry,
  );
  const db = createCatalogueFile({ objects, authors: [], articles: [] }, path);
  onTestFinished(() => db.close());
  return db;
}

it('counts records that are new, changed and removed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-catalogue-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const earlier = join(directory, 'earlier.sqlite');
  createCatalogue({ 'a-1': 'One', 'a-2': 'Two', 'a-3': 'Three' }, earlier);
  const now = createCatalogue({ 'a-1': 'One', 'a-3': 'Drei', 'a-4': 'Four', 'a-5': 'Five' });
  expect(countChangedRecords(now, earlier)).toEqual({ added: 2, changed: 1, removed: 1 });
  expect(countChangedRecords(now, earlier)).toEqual({ added: 2, changed: 1, removed: 1 });
  writeFileSync(earlier, 'not a database, but a text that is long enough to look like one '.repeat(200));
  expect(countChangedRecords(now, earlier)).toBeUndefined();
  const damaged = join(directory, 'damaged.sqlite');
  createCatalogue({ 'a-1': 'One' }, damaged);
  const bytes = readFileSync(damaged);
  writeFileSync(damaged, bytes.fill(0xff, 100));
  expect(countChangedRecords(now, damaged)).toBeUndefined();
});
