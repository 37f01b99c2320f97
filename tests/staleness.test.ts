/** After changes of a snapshot, a build renders the pages that a clean build would make otherwise, and few others. */

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, it } from 'vitest';
import type { BuildReport } from '../src/pipeline/build-report.ts';
import { rewriteBody } from './change-snapshot.ts';
import { createTestDirectory, LONG, runMicroficheJson } from './support.ts';

/** Changes of a snapshot, by name. `pick` returns the key of a resource of a kind. */
const CHANGES: Readonly<Record<string, (db: DatabaseSync, pick: (kind: string) => string) => void>> = {
  'the title of a record': (db, pick) => rewriteBody(db, pick('object'), (payload) => ({ ...payload, title: 'Another title' })),
  'the description of a record': (db, pick) =>
    rewriteBody(db, pick('object'), (payload) => ({ ...payload, description: 'Another description' })),
  'the topics of a record': (db, pick) =>
    rewriteBody(db, pick('object'), (payload) => ({ ...payload, topics: [{ term: 'Lanterns: Oil', id: '77' }] })),
  'a record that becomes private': (db, pick) =>
    rewriteBody(db, pick('object'), (payload) => ({ ...payload, public: '0', status: 'inprocess' })),
  'the position of a record': (db, pick) => rewriteBody(db, pick('object'), (payload) => ({ ...payload, sort: 99_999 })),
  'a guide page': (db, pick) => rewriteBody(db, pick('article'), (payload) => ({ ...payload, body: '<p>Another text.</p>' })),
  'a source': (db, pick) => rewriteBody(db, pick('source'), (payload) => ({ ...payload, caption: 'Another caption' })),
  'an author': (db, pick) => rewriteBody(db, pick('author'), (payload) => ({ ...payload, body: '<p>Another life.</p>' })),
  'a missing image': (db) =>
    db.exec(
      `UPDATE media SET state = 'failed', cause = 'for the test', path = NULL WHERE url IN
        (SELECT url FROM media WHERE kind = 'image' AND state = 'stored' ORDER BY url LIMIT 1 OFFSET 3)`,
    ),
};

it('renders every page that differs from a clean build', async () => {
  const directory = createTestDirectory();
  const snapshot = join(directory, 'snapshot');
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  const build = (name: string, ...more: string[]) =>
    runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', join(directory, name), '--no-search', ...more], {
      env: { MICROFICHE_CACHE: join(directory, `cache-${name}`) },
    });
  const manifest = (name: string) => readFileSync(join(directory, name, 'manifest-sha256.txt'), 'utf8');
  const { pages: total } = await build('site');
  let chosen = 7;
  /** Carries out changes, and compares the next build with a clean one. */
  const check = async (names: readonly string[]) => {
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    const pick = (kind: string) => {
      const keys = db
        .prepare('SELECT key FROM resource WHERE kind = ? AND response IS NOT NULL AND gone_at IS NULL ORDER BY key')
        .all(kind);
      chosen = (chosen * 48_271) % 2_147_483_647;
      return String(keys[chosen % keys.length]?.['key']);
    };
    for (const name of names) CHANGES[name]?.(db, pick);
    db.close();
    const before = manifest('site');
    const { rebuilt } = await build('site');
    const changed = manifest('site')
      .split('\n')
      .filter((line) => line.endsWith('.html') && !before.includes(line)).length;
    await build('clean', '--clean');
    expect(manifest('site'), names.join(', ')).toBe(manifest('clean'));
    expect(changed).toBeGreaterThan(0);
    expect(rebuilt.pages).toBeGreaterThanOrEqual(changed);
    expect(rebuilt.pages).toBeLessThan(total / 2);
  };
  await check(Object.keys(CHANGES));
  expect((await build('site')).rebuilt.pages).toBe(0);
  if (LONG) for (let round = 0; round < 6; round++) for (const name of Object.keys(CHANGES)) await check([name]);
}, 900_000);
