/** Rules of `npm run lint` beyond Biome: avoided words, dead citations, long comments, missing docstrings. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/commands.ts';
import { findingsIn, repositoryOf } from '../support/lint-repository.ts';

// The words under test are assembled here, so that this file does not break the rule itself.
const MARK = ['prose', 'ok:'].join('-');
const AVOIDED = ['a', 'new'].join('');
const HELD_BACK = ['held', 'Back'].join('');
const DRIVE = ['st', 'ick'].join('');

describe('words', () => {
  it.each([
    [
      'src/harvest/crawl.ts',
      `// one\n// Fetches it ${AVOIDED}.\n`,
      `src/harvest/crawl.ts:2 "${AVOIDED}": use "again; from scratch"`,
    ],
    ['src/pages/index.astro', `---\n---\n<p>${AVOIDED}</p>\n`, `src/pages/index.astro:3 "${AVOIDED}"`],
    ['src/site/styles/site.css', `.${DRIVE} {\n}\n`, `src/site/styles/site.css:1 "${DRIVE}": use "USB drive"`],
    ['src/a.ts', `const on${'St'}ick = 1;\n`, 'use "USB drive"'],
    ['README.md', `# It is ${AVOIDED}\n`, `README.md:1 "${AVOIDED}"`],
    ['package.json', `{ "description": "${AVOIDED}" }\n`, `package.json:1 "${AVOIDED}"`],
    ['tests/a.test.ts', `const ${HELD_BACK} = 1;\n`, `tests/a.test.ts:1 "${HELD_BACK.replace('B', ' B')}": use "withheld`],
  ])('reports one in %s', (path, text, printed) => {
    expect(findingsIn({ [path]: text })).toEqual([expect.stringContaining(printed)]);
  });

  it.each([
    ['a line with a reason', 'scripts/a.ts', `// Starts ${AVOIDED}. // ${MARK} quoted from the API\n`],
    ['a line of a page with a reason', 'src/pages/a.astro', `<p>${AVOIDED}</p> <!-- ${MARK} quoted -->\n`],
    ['the Spanish dictionary', 'src/site/language/es.json', `"${AVOIDED}"\n`],
    ['a record of the sample archive', 'content/sample/objects/a.json', `"${AVOIDED}"\n`],
    ['the cache of an example in the documents', 'docs/faces/a/.microfiche/cache/a.json', `"${AVOIDED}"\n`],
    ['the glossary, which lists it', 'docs/glossary.md', `| again | ${AVOIDED} |\n`],
  ])('allows one in %s', (_, path, text) => {
    expect(findingsIn({ [path]: text })).toEqual([]);
  });

  it('rejects a mark without a reason, and one on a line that needs none', () => {
    const text = `// Starts ${AVOIDED}. // ${MARK}\n// Starts. // ${MARK} quoted\n`;
    expect(findingsIn({ 'src/a.ts': text })).toEqual([
      expect.stringContaining(`src/a.ts:1 "${AVOIDED}"`),
      'src/a.ts:2 prose-ok: nothing on this line needs it',
    ]);
  });
});

it('prints all findings, and fails if there are any', () => {
  const run = (files: Record<string, string>) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/lint/lint.ts')], { cwd: repositoryOf(files), encoding: 'utf8' });
  expect(run({ 'src/a.ts': `// ${AVOIDED}\n// ${AVOIDED}\n` })).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^src\/a\.ts:1 .*\nsrc\/a\.ts:2 .*\n$/),
  });
  expect(run({ 'src/a.ts': '' })).toMatchObject({ status: 0, stdout: '' });
});

describe('cited files', () => {
  it.each([
    ['src/a.ts', '/** See docs/none.md. */\n', 'src/a.ts:1 cites docs/none.md, which the repository does not have'],
    ['src/a.ts', 'const a = 1; // as in none.ts\n', 'src/a.ts:1 cites none.ts'],
    ['src/a.ts', '// as in src/none/\n', 'src/a.ts:1 cites src/none/'],
    ['src/a.astro', '---\n// see none.ts\n---\n', 'src/a.astro:2 cites none.ts'],
    ['src/a.astro', '---\n---\n<p>{/* see src/none.astro */}</p>\n', 'src/a.astro:3 cites src/none.astro'],
    ['src/a.astro', '---\n---\n<!-- see src/none.astro -->\n', 'src/a.astro:3 cites src/none.astro'],
    ['src/a.css', 'a {\n}\n/* see\nsrc/none.css */\n', 'src/a.css:4 cites src/none.css'],
    ['docs/a.md', 'See `src/none.ts`.\n', 'docs/a.md:1 cites src/none.ts'],
    ['src/a.ts', '// docs/b.md, “Lists” and “None”\n', 'src/a.ts:1 cites “None” of docs/b.md, which has no such heading'],
  ])('reports a missing one in %s: %j', (path, text, printed) => {
    const files = { 'docs/b.md': '# B\n\n## Lists\n', 'src/b.ts': '', [path]: text };
    expect(findingsIn(files)).toEqual([expect.stringContaining(printed)]);
  });

  it.each([
    ['a file of the repository', 'src/http/a.ts', '// docs/b.md, “Lists”; src/b.ts, b.ts, ../b.ts and src/\n'],
    ['a file that a build writes', 'src/a.ts', '// offline.json, assets/site.css and content/snapshot/report.txt\n'],
    ['a string', 'src/a.ts', "const a = 'docs/none.md // none.ts';\n"],
    ['a URL', 'src/a.ts', '// https://example.org/src/none.ts\n'],
    ['a pattern', 'src/a.ts', '// src/<name>.ts, src/…/none.ts, src/*.ts\n'],
    ['a line with a reason', 'src/a.ts', '// a Vite plugin’s none.ts cited-ok: part of Vite\n'],
    ['a code block', 'docs/a.md', '```\nnone.ts\n```\n'],
  ])('allows %s', (_, path, text) => {
    const files = { 'docs/b.md': '# B\n\n## Lists\n', 'src/b.ts': '', [path]: text };
    expect(findingsIn(files)).toEqual([]);
  });
});

describe('the width of comments', () => {
  const wide = (start: string, end: string, columns = 131) => `${start}${'x'.repeat(columns - start.length - end.length)}${end}`;

  it.each([
    ['src/a.ts', `\n  ${wide('/** ', ' */', 129)}\nconst a = 1;\n`, 2],
    ['src/a.ts', `/**\n${wide(' * ', '')}\n */\nconst a = 1;\n`, 2],
    ['scripts/a.mjs', `${wide('const a = 1; // ', '')}\n`, 1],
    ['tests/a.test.ts', `${wide('// ', '')}\n`, 1],
    ['src/a.astro', `---\n${wide('// ', '')}\n---\n`, 2],
    ['src/a.astro', `---\n---\n${wide('<!-- ', ' -->')}\n`, 3],
    ['src/a.css', `${wide('/* ', ' */')}\n`, 1],
  ])('reports a long one in %s: %j', (path, text, line) => {
    expect(findingsIn({ [path]: text })).toEqual([`${path}:${line} a line with a comment may have at most 130 columns`]);
  });

  it.each([
    ['one that fits', 'tests/a.ts', `${wide('// ', '', 130)}\n`],
    ['a long string', 'tests/a.ts', `${wide("const a = '// ", "';")}\n`],
    ['a line of a document', 'docs/a.md', `${wide('', '')}\n`],
  ])('accepts %s', (_, path, text) => {
    expect(findingsIn({ [path]: text })).toEqual([]);
  });
});

describe('docstrings', () => {
  it.each([
    ['export function a() {}\n', 1, 'a'],
    ['/** The header of the module. */\n\nexport const a = 1;\n', 3, 'a'],
    ['// no docstring\nexport interface A {}\n', 2, 'A'],
    ['export type A = string;\n', 1, 'A'],
    ['export abstract class A {}\n', 1, 'A'],
    ['const a = 1;\nexport { a };\n', 1, 'a'],
    ['export default async function () {}\n', 1, 'the default export'],
    ['export namespace A {}\n', 1, 'A'],
    ['/***/\nexport const a = 1;\n', 2, 'a'],
    ['/** */\nexport const a = 1;\n', 2, 'a'],
    ['/**\n * \n */\nexport const a = 1;\n', 4, 'a'],
  ])('reports that %j has none', (text, line, name) => {
    const printed = `src/http/a.ts:${line} ${name} is exported and has no docstring`;
    expect(findingsIn({ 'src/http/a.ts': text })).toEqual([printed]);
  });

  it('reports each name of a pattern', () => {
    const text = 'export const { a, b: [c, , ...d] } = e;\n';
    expect(findingsIn({ 'scripts/a.ts': text })).toEqual(['a', 'c', 'd'].map((name) => expect.stringContaining(`:1 ${name} is`)));
  });

  it.each([
    ['an existing one', 'src/a.ts', '/** The header. */\n\n/** What it does. */\nexport function a() {}\n'],
    ['one over several overloads', 'src/a.ts', '/** What. */\nexport function a(): void;\nexport function a(b?: 1): void {}\n'],
    ['names that are not exported', 'src/a.ts', 'const a = 1;\n'],
    ['names of another module', 'src/a.ts', "export { b } from 'b';\n"],
    ['tests', 'src/a.test.ts', 'export const a = 1;\n'],
    ['declarations', 'src/a.d.ts', 'export const a: string;\n'],
    ['test support', 'tests/a.ts', 'export const a = 1;\n'],
  ])('accepts %s', (_, path, text) => {
    expect(findingsIn({ [path]: text })).toEqual([]);
  });
});
