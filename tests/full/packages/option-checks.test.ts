/** Options of `export` that do not apply to its format: one sentence says what to do instead, and nothing is written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { assertSuitable } from '../../../scripts/commands/export.ts';
import { createCommand } from '../../../scripts/commands.ts';
import { FORMAT_NAMES } from '../../../src/export/formats.ts';
import { UsageError } from '../../../src/model/errors.ts';
import { createSharedDirectory } from '../../support/commands.ts';

const { path: directory, remove } = createSharedDirectory();
afterAll(remove);
const to = join(directory, 'package');
const run = (...args: string[]) =>
  createCommand('export')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(args, { from: 'user' });

const SNAPSHOT = ['--snapshot', directory];
const SITE = ['--dir', directory];

it.each([
  [['zim', ...SITE, '--collection', 'demo-org-1'], /^A ZIM file has all pages .* build the site with --collection\.$/],
  [['wacz', ...SITE, '--collection', 'demo-org-1'], /^A WACZ of a site has all .* Build the site with --collection, or/],
  [['wacz', ...SITE, '--fulltext'], /^export wacz has no such index\. Leave out --fulltext, or export a ZIM file\.$/],
  [['wacz', ...SNAPSHOT, '--fulltext'], /^export wacz has no such index/],
] as const)('%j', async (args, message) => {
  const attempt = run(...args, '--to', to);
  await expect(attempt).rejects.toThrow(UsageError);
  await expect(attempt).rejects.toThrow(message);
  expect(existsSync(to)).toBe(false);
});

it('accepts the places of snapshot and site for any format', () => {
  const command = createCommand('export');
  for (const option of ['snapshot', 'dir', 'site', 'archiveLanguage']) command.setOptionValueWithSource(option, 'x', 'cli');
  for (const format of FORMAT_NAMES)
    expect(() => assertSuitable(format, { to, site: 'https://mirror.example' }, false, command)).not.toThrow();
});

it('accepts a setting that is meant for other formats, since those on the command line are meant for this one', () => {
  const command = createCommand('export');
  for (const option of ['collection', 'site', 'dir', 'archiveLanguage'])
    command.setOptionValueWithSource(option, ['demo-org-1'], 'config');
  expect(() => assertSuitable('zim', { to }, false, command)).not.toThrow();
});

it.each(['b.tar.gz', 'b.tgz', 'b.7z', 'b.TAR.XZ', 'b.rar'])('names a directory, .zip or .tar instead of %s', async (name) => {
  const file = join(directory, name);
  const attempt = run('bagit', ...SNAPSHOT, '--to', file);
  await expect(attempt).rejects.toThrow(UsageError);
  await expect(attempt).rejects.toThrow(/Name a directory with --to, or a file that ends in \.zip or \.tar\.$/);
  expect(existsSync(file)).toBe(false);
});

it.each([
  [['bagit', '--to', '', ...SNAPSHOT], /'--to <path>' argument '' is invalid\. It is empty\. Expected a path\./],
  [['bagit', '--to', to, '--snapshot', ''], /'--snapshot <dir>' argument '' is invalid\. It is empty\. Expected a path\./],
  [['zim', '--to', to, '--dir', ' '], /'--dir <dir>' argument ' ' is invalid\. It is empty\. Expected a path\./],
] as const)('an empty path: %j', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});
