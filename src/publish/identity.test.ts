import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadSample } from '../sample/sample.ts';
import {
  assertSameArchive,
  IDENTITY,
  identityOf,
  identityText,
  isSameArchive,
  type SiteIdentity,
  siteIdentity,
} from './identity.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');
const archive = (catalogUrl: string): SiteIdentity => ({
  format: 1,
  authorsUrl: 'https://a.example/api',
  catalogUrl,
  snapshot: 'x',
});

function site(content: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'microfiche-identity-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, IDENTITY), content);
  return dir;
}

it.each([
  ['http://c.example/api', 'https://c.example/api/', true],
  ['https://C.example:443/api', 'https://c.example/api', true],
  ['https://c.example/api', 'https://c.example/other', false],
  ['https://c.example/api', 'https://d.example/api', false],
])('D32: takes %s and %s for one archive: %s', (a, b, same) => expect(isSameArchive(archive(a), archive(b))).toBe(same));

it('D32: the sample is the sample at whatever port it plays upstream', () => {
  const store = loadSample(SAMPLE);
  const identity = identityOf(store, SAMPLE);
  expect(identity).toEqual({
    format: 1,
    sample: expect.stringMatching(/Lantern/),
    snapshot: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(identityOf(store, SAMPLE)).toEqual(identity);
  expect(isSameArchive(identity, { ...archive('https://c.example/api'), sample: identity.sample })).toBe(true);
  expect(isSameArchive(identity, archive('https://c.example/api'))).toBe(false);
});

it('D32: names neither a password nor a user', () => {
  const store = loadSample(SAMPLE);
  store.db.exec(`UPDATE meta SET value = 'https://user:secret@c.example/api' WHERE key = 'catalog_url'`);
  expect(JSON.stringify(identityOf(store, '/nowhere'))).not.toMatch(/user|secret/);
});

it('D32: refuses a folder with another archive, takes one with its own, and says where it cannot tell', () => {
  const own = archive('https://c.example/api');
  expect(() => assertSameArchive(archive('https://d.example/'), site(identityText(own)))).toThrow(
    /holds the site of https:\/\/c\.example\/api, not of https:\/\/d\.example\/: name another folder/,
  );
  expect(assertSameArchive(own, site(identityText(own)))).toBeUndefined();
  const unknown = site('no JSON');
  expect(assertSameArchive(own, unknown)).toBeUndefined(); // no site at all
  writeFileSync(join(unknown, 'manifest-sha256.txt'), `${'a'.repeat(64)}  index.html\n`);
  expect(assertSameArchive(own, unknown)).toMatch(/did not say which archive/);
});

it('S13: reads no identity through a link, nor one that is none', () => {
  const dir = site(identityText(archive('https://c.example/')));
  expect(siteIdentity(dir)?.catalogUrl).toBe('https://c.example/');
  mkdirSync(join(dir, 'linked'));
  symlinkSync(join(dir, IDENTITY), join(dir, 'linked', IDENTITY));
  expect(siteIdentity(join(dir, 'linked'))).toBeUndefined();
  for (const content of ['[]', '{"format":2}', '{"format":1,"catalogUrl":7,"snapshot":""}', 'x'.repeat(100_000)])
    expect(siteIdentity(site(content))).toBeUndefined();
});
