/** What newcomers type wrong or do too early: each message says what to do next. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createCommand, createProgram } from '../../scripts/commands.ts';
import { createTestDirectory, runMicrofiche, upstreamOptions } from '../support/commands.ts';

describe('serve', () => {
  it('in an empty directory serves nothing, and says what to run', async () => {
    const cwd = createTestDirectory();
    const { code, stdout, stderr } = await runMicrofiche(['serve', '--port', '0'], { cwd });
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'microfiche: No snapshot found in content/snapshot. First run "microfiche harvest", or name the snapshot directory with --snapshot.\n',
    ]);
  });

  it('says what to do before a site is built', async () => {
    const cwd = createTestDirectory();
    cpSync(inject('mirror').small, join(cwd, 'content/snapshot'), { recursive: true });
    const { stderr } = await runMicrofiche(['serve', '--dir', 'site'], { cwd });
    expect(stderr).toBe(
      'microfiche: No site in site. First run "microfiche build --out site", or name another directory with --dir.\n',
    );
  });
});

it('usb says that a site is built first', async () => {
  const cwd = createTestDirectory();
  mkdirSync(join(cwd, 'drive'));
  const { code, stderr } = await runMicrofiche(['usb', '--to', 'drive'], { cwd });
  expect([code, stderr]).toEqual([1, 'microfiche: dist does not exist. Check the name, or run "microfiche build" first.\n']);
});

describe('an argument', () => {
  const requiring = createProgram().commands.filter(({ registeredArguments }) => registeredArguments.some((one) => one.required));

  it.each(requiring.map((command) => command.name()))('that %s lacks is explained, with an example', async (name) => {
    const { code, stdout, stderr } = await runMicrofiche([name]);
    const [error, usage, ...lines] = stderr.trimEnd().split('\n');
    expect([code, stdout, error]).toEqual([2, '', expect.stringMatching(/^error: missing required argument '\w+'$/)]);
    expect(usage).toMatch(new RegExp(`^Usage: npx --no-install microfiche ${name} \\[options\\] <`));
    const { registeredArguments } = createCommand(name as Parameters<typeof createCommand>[0]);
    expect(lines.length).toBe(registeredArguments.length);
    for (const [i, argument] of registeredArguments.entries()) {
      expect(lines[i]).toContain(`  ${argument.name()}: ${argument.description}`);
      expect(lines[i]).toMatch(/, for example |, such as |\(choices: /);
    }
  });

  it('too many is taken for the end of a value with a space', async () => {
    const { code, stderr } = await runMicrofiche(['media', '--budget', '20', 'GB']);
    expect([code, stderr]).toEqual([
      2,
      'microfiche: Unexpected "GB": see --help. A value with a space needs quotation marks: --budget "20 GB".\n',
    ]);
    expect((await runMicrofiche(['export', 'bagit', 'archive.zip', '--to', 'x'])).stderr).toContain('Unexpected "archive.zip"');
  });
});

it('an unknown command is answered with where the commands are listed', async () => {
  const { code, stderr } = await runMicrofiche(['harvets']);
  expect([code, stderr]).toEqual([
    2,
    "error: unknown command 'harvets'\n(Did you mean harvest?)\n(use --help to list the commands)\n",
  ]);
});

it('--help says how to type the commands that messages name', async () => {
  expect((await runMicrofiche(['--help'])).stdout).toContain('"npx --no-install microfiche"');
});

it.each([['me'], ['アーカイブ@archive.example']])('the contact %j is refused by all commands', async (contact) => {
  for (const command of ['harvest', 'update']) {
    const { code, stderr } = await runMicrofiche([command, ...upstreamOptions('http://127.0.0.1:1'), '--contact', contact]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Expected an e-mail address or a URL, for example ')]);
  }
});

it('init with an address that does not respond says what to check, and that the project is written', async () => {
  const cwd = createTestDirectory();
  const { code, stdout } = await runMicrofiche(['init', '--title', 'Harbor', ...upstreamOptions('http://127.0.0.1:1')], { cwd });
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('same command again')]);
  expect(stdout).toMatch(
    /\(connection refused\)\. Check --authors-url, the network and, if there is one, the proxy\.\nThe project is written\. Correct a wrong URL in its configuration\. Next:$/m,
  );
});
