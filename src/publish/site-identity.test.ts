import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadSample } from '../../scripts/sample/load-sample.ts';
import { moveSnapshot } from '../snapshot/move.ts';
import {
  assertSameArchive,
  createSiteIdentity,
  formatIdentity,
  IDENTITY_FILE,
  isSameArchive,
  readSiteIdentity,
  type SiteIdentity,
} from './site-identity.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');
const archive = (catalogUrl: string): SiteIdentity => ({
  format: 1,
  authorsUrl: 'https://a.example/api',
  catalogUrl,
  snapshot: 'x',
});

function createSite(content: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'microfiche-identity-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, IDENTITY_FILE), content);
  return dir;
}

it.each([
  ['http://c.example/api', 'https://c.example/api/', true],
  ['https://C.example:443/api', 'https://c.example/api', true],
  ['https://c.example/api', 'https://c.example/other', false],
  ['https://c.example/api', 'https://d.example/api', false],
])('compares %s with %s: the same archive is %s', (a, b, same) => expect(isSameArchive(archive(a), archive(b))).toBe(same));

it('identifies the sample archive by its name, because its port changes', () => {
  const store = loadSample(SAMPLE);
  const identity = createSiteIdentity(store);
  expect(identity).toEqual({
    format: 1,
    sample: expect.stringMatching(/Lantern/),
    snapshot: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(createSiteIdentity(store)).toEqual(identity);
  expect(isSameArchive(identity, { ...archive('https://c.example/api'), sample: identity.sample })).toBe(true);
  expect(isSameArchive(identity, archive('https://c.example/api'))).toBe(false);
});

it('identifies an archive after a move, also by what identified it before', () => {
  const store = loadSample(SAMPLE);
  store.db.exec("DELETE FROM meta WHERE key = 'sample'");
  const before = createSiteIdentity(store);
  const from = String(before.catalogUrl);
  moveSnapshot(store, { from, to: 'https://new.example/api' }, '2026-11-29T00:00:00.000Z');
  const after = readSiteIdentity(createSite(formatIdentity(createSiteIdentity(store)))) as SiteIdentity;
  expect(after).toMatchObject({ catalogUrl: 'https://new.example/api', formerly: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
  expect([isSameArchive(before, after), isSameArchive(after, before)]).toEqual([true, true]);
  expect(isSameArchive(after, archive('https://d.example/api'))).toBe(false);
  expect(JSON.stringify(after)).not.toContain(from);
});

it('contains no credentials', () => {
  const store = loadSample(SAMPLE);
  store.db.exec(`UPDATE meta SET value = 'https://user:secret@c.example/api' WHERE key = 'catalog_url'`);
  expect(JSON.stringify(createSiteIdentity(store))).not.toMatch(/user|secret/);
});

it('rejects the site of another archive, accepts its own, and reports a site without an identity', () => {
  const own = archive('https://c.example/api');
  expect(() => assertSameArchive(archive('https://d.example/'), createSite(formatIdentity(own)))).toThrow(
    /contains the site of https:\/\/c\.example\/api, not of https:\/\/d\.example\/\. Choose another directory/,
  );
  expect(assertSameArchive(own, createSite(formatIdentity(own)))).toBeUndefined();
  const unknown = createSite('no JSON');
  expect(assertSameArchive(own, unknown)).toBeUndefined(); // without a manifest, `out` does not contain a site
  writeFileSync(join(unknown, 'manifest-sha256.txt'), `${'a'.repeat(64)}  index.html\n`);
  expect(assertSameArchive(own, unknown)).toMatch(/did not name its archive/);
});

it('ignores an identity behind a symbolic link, and one that is not valid', () => {
  const dir = createSite(formatIdentity(archive('https://c.example/')));
  expect(readSiteIdentity(dir)?.catalogUrl).toBe('https://c.example/');
  mkdirSync(join(dir, 'linked'));
  symlinkSync(join(dir, IDENTITY_FILE), join(dir, 'linked', IDENTITY_FILE));
  expect(readSiteIdentity(join(dir, 'linked'))).toBeUndefined();
  for (const content of ['[]', '{"format":2}', '{"format":1,"catalogUrl":7,"snapshot":""}', 'x'.repeat(100_000)])
    expect(readSiteIdentity(createSite(content))).toBeUndefined();
});
