/** The example in the README, run as printed. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDirectory, linkProgram, ROOT, SAMPLE, startServe } from '../support/commands.ts';
import { fetchPage, runInShell, withServer } from '../support/guide-shell.ts';
import { createCache } from '../support/shared-sites.ts';

it('works as printed, except for the URLs and the port', async () => {
  const upstream = await startServe(['--snapshot', SAMPLE]);
  onTestFinished(upstream.stop);
  const cwd = createTestDirectory();
  linkProgram(cwd);
  createCache(join(cwd, '.microfiche/cache'));
  const commands = exampleCommands().map((command) =>
    command.replace(/https:\/\/(?:guide|archive)\.example\.org/g, upstream.url),
  );
  expect(commands.at(-1)).toMatch(/ serve /);
  for (const command of commands.slice(0, -1)) await runInShell(command, cwd);
  expect(await withServer(commands.at(-1) ?? '', cwd, fetchPage)).toBe(
    readFileSync(join(cwd, 'dist-archive/index.html'), 'utf8'),
  );
  expect(statSync(join(cwd, 'content/archive/snapshot.sqlite')).isFile()).toBe(true);
});

/** Returns the commands of the README's example, each in one line. */
function exampleCommands(): string[] {
  const [, block = ''] =
    /^## Copy an archive\n+```sh\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  const lines = block.replace(/\\\n\s*/g, '').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
