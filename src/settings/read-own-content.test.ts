import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { readOwnContent } from './read-own-content.ts';

/** Creates a directory with one page. */
function createContent(): string {
  const directory = createTestDirectory();
  mkdirSync(join(directory, 'pages'));
  writeFileSync(join(directory, 'pages/about.md'), '---\ntitle: About\n---\n\nA text.\n');
  return directory;
}

it.each([
  ['a file', 'outside.md'],
  ['a directory', '.'],
])('refuses a symbolic link to %s, which may be outside of the project', async (_, target) => {
  const directory = createContent();
  writeFileSync(join(directory, 'outside.md'), 'A text without a title.\n');
  symlinkSync(join(directory, target), join(directory, 'pages/linked.md'));
  await expect(readOwnContent(directory, ['en'])).rejects.toThrow(
    /pages\/linked\.md, line 1: this is a symbolic link\. Put the file itself here\.$/,
  );
});

it('ignores what editors store in hidden directories', async () => {
  const directory = createContent();
  mkdirSync(join(directory, 'pages/.obsidian'));
  writeFileSync(join(directory, 'pages/.obsidian/note.md'), 'A text without a title.\n');
  expect((await readOwnContent(directory, ['en']))?.content.pages.map(({ slug }) => slug)).toEqual(['about']);
});
