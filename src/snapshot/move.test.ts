import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { moveSnapshot, planMove } from './move.ts';
import { createFormerUrls, createMover, readFormerBaseUrls, readMoves } from './moves.ts';
import { isWithdrawnUrl } from './purged.ts';
import { createMemorySnapshot, type Store } from './store.ts';

const NOW = '2026-11-29T00:00:00.000Z';

function createArchive(authors: string, catalog: string): Store {
  const store = createMemorySnapshot('/nowhere');
  store.db.exec(`INSERT INTO meta VALUES ('authors_url', '${authors}'), ('catalog_url', '${catalog}')`);
  return store;
}

function addMedia({ db }: Store, url: string, path: string | null): void {
  if (path) db.prepare("INSERT INTO blob VALUES (?, ?, 1, 'image/jpeg')").run(path, 'a'.repeat(64));
  const state = path ? 'stored' : 'failed';
  db.prepare("INSERT INTO media VALUES (?, 'demo-a-1', 'image', ?, ?, ?, 200, NULL, NULL)").run(url, state, path, NOW);
}

const columnOf = ({ db }: Store, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);
const pathsOf = ({ db }: Store) =>
  Object.fromEntries(
    db
      .prepare('SELECT url, path FROM media')
      .all()
      .map(({ url, path }) => [url, path]),
  );

it('moves one of two APIs, and a path below the former one', () => {
  using store = createArchive('https://guide.example', 'https://old.example');
  for (const [n, url] of ['https://old.example/1.jpg', 'https://old.example/api/1.jpg', 'https://guide.example/1.jpg'].entries())
    addMedia(store, url, `media/a/${n}.jpg`);
  const plan = planMove(store, { from: 'http://old.example', to: 'https://old.example/api' });
  expect(moveSnapshot(store, plan, NOW)).toEqual({
    ...{ from: 'https://old.example', to: 'https://old.example/api', bodies: 0, media: 2 },
    ...{ authorsUrl: 'https://guide.example', catalogUrl: 'https://old.example/api' },
  });
  expect(pathsOf(store)).toEqual({
    'https://guide.example/1.jpg': 'media/a/2.jpg',
    'https://old.example/api/1.jpg': 'media/a/0.jpg',
    'https://old.example/api/api/1.jpg': 'media/a/1.jpg',
  });
  moveSnapshot(store, { from: plan.to, to: plan.from }, NOW);
  expect(Object.values(pathsOf(store)).sort()).toEqual(['media/a/0.jpg', 'media/a/1.jpg', 'media/a/2.jpg']);
  expect(Object.keys(pathsOf(store))).toContain('https://old.example/1.jpg');
  expect(() => planMove(store, { from: 'https://old.example/x', to: 'https://new.example' })).toThrow(
    'of the archive at https://old.example and https://guide.example, not https://old.example/x',
  );
});

it('keeps the file that was stored from the new URL before, and marks the other one for deletion', () => {
  using store = createArchive('http://old.example', 'http://old.example');
  addMedia(store, 'http://old.example/1.jpg', 'media/a/1.jpg');
  addMedia(store, 'https://new.example/1.jpg', 'media/a/2.jpg');
  addMedia(store, 'http://old.example/3.jpg', 'media/a/3.jpg');
  addMedia(store, 'https://new.example/3.jpg', null);
  moveSnapshot(store, { from: 'http://old.example', to: 'https://new.example' }, NOW);
  expect(pathsOf(store)).toEqual({ 'https://new.example/1.jpg': 'media/a/2.jpg', 'https://new.example/3.jpg': 'media/a/3.jpg' });
  expect(columnOf(store, 'SELECT path FROM orphan_file')).toEqual(['media/a/1.jpg']);
  expect(columnOf(store, 'SELECT path FROM blob ORDER BY path')).toEqual(['media/a/2.jpg', 'media/a/3.jpg']);
});

it('changes nothing if it cannot change everything', () => {
  using store = createArchive('http://old.example', 'http://old.example');
  addMedia(store, 'http://old.example/1.jpg', 'media/a/1.jpg');
  store.db.exec("CREATE TRIGGER stop BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'power cut'); END");
  expect(() => moveSnapshot(store, { from: 'http://old.example', to: 'http://new.example' }, NOW)).toThrow('power cut');
  expect(pathsOf(store)).toEqual({ 'http://old.example/1.jpg': 'media/a/1.jpg' });
  expect(readMoves(store)).toEqual([]);
});

it('remembers the former URLs, also of what was purged', () => {
  using store = createArchive('http://a.example', 'http://a.example');
  const purged = store.db.prepare('INSERT INTO withdrawn_url VALUES (?)');
  purged.run(hash('sha256', 'https://a.example/secret.jpg'));
  moveSnapshot(store, { from: 'http://a.example', to: 'https://b.example' }, NOW);
  moveSnapshot(store, { from: 'https://b.example', to: 'https://c.example/x' }, NOW);
  expect(createFormerUrls(store)('https://c.example/x/1')).toEqual([
    'https://b.example/1',
    'http://b.example/1',
    'http://a.example/1',
    'https://a.example/1',
  ]);
  expect(createMover(store)('http://a.example/1 https://b.example/2')).toBe('https://c.example/x/1 https://c.example/x/2');
  expect(readFormerBaseUrls(store).map(({ catalog }) => catalog)).toEqual(['https://b.example', 'http://a.example']);
  const isWithdrawn = isWithdrawnUrl(store);
  expect(['https://c.example/x/secret.jpg', 'https://c.example/secret.jpg'].map(isWithdrawn)).toEqual([true, false]);
});

it.each(['no JSON', '{}', '[1, {"from": "a", "to": "https://b.example"}, {"from": "https://b.example/"}]'])(
  'ignores %s instead of moves',
  (moves) => {
    using store = createArchive('http://a.example', 'http://a.example');
    store.db.prepare("INSERT INTO meta VALUES ('moves', ?)").run(moves);
    expect(readMoves(store)).toEqual([]);
  },
);
