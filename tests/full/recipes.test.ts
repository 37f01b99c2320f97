/** CONTRIBUTING's recipes: their code is added to a copy of the repository, types are checked, and a site is built. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { CHECKS } from '../../scripts/typecheck.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createSharedDirectory, ROOT } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

/** A block of code in a recipe, and where it belongs: after or before a line, instead of one, or in a file of its own. */
interface Block {
  path: string;
  place: string | undefined;
  line: string;
  code: string;
}

const FENCE = /^( *)```(?:ts|json|astro) (\S+)(?: (after|before|instead of) (.+))?\n([\s\S]*?)^\1```$/gm;

/** Returns the blocks of each recipe, by its heading. */
function readRecipes(): Map<string, Block[]> {
  const [, text = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## How to add …\n');
  const recipes = text.split(/^### /m).slice(1);
  return new Map(
    recipes.map((recipe) => {
      const [heading = '', ...rest] = recipe.split('\n');
      const blocks = [...rest.join('\n').matchAll(FENCE)].map(([, indent = '', path = '', place, line = '', code = '']) => ({
        ...{ path, place, line },
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }));
      return [heading, blocks];
    }),
  );
}

/** The most files of `src` and `scripts` that a recipe may touch. */
const MAX_FILES: Readonly<Record<string, number>> = {
  'a field': 3,
  'a facet': 3,
  'a page': 4,
  'an export format': 3,
  'an image format': 2,
  'a language of the interface': 2,
  'an option': 2,
  'a setting': 2,
};

const recipes = readRecipes();
const folder = createSharedDirectory();
const copy = join(folder.path, 'copy');
const [snapshot, dist] = [join(folder.path, 'snapshot'), join(folder.path, 'dist')];

/** Runs a program in the copy, and returns what it printed. */
function run(program: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, MICROFICHE_CACHE: join(folder.path, 'cache'), ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
  });
  return { status, output: `${stdout}${stderr}` };
}
const microfiche = (...args: string[]) => run(process.execPath, ['scripts/bin.mjs', ...args]);
const textOf = (path: string) => readFileSync(join(dist, path), 'utf8');

function addBlock({ path, place, line, code }: Block): void {
  const file = join(copy, path);
  if (place === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    return;
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((each) => each.trim() === line.trim());
  expect(at, `${path} has the line ${line}`).toBeGreaterThan(-1);
  lines.splice(place === 'after' ? at + 1 : at, place === 'instead of' ? 1 : 0, code.replace(/\n$/, ''));
  writeFileSync(file, lines.join('\n'));
}

/** Writes the file of a new language as the recipe says, with the English texts. */
function addLanguage(): void {
  const withoutNotes = (key: string, value: unknown) => (key.startsWith('//') ? undefined : value);
  const english = JSON.parse(readFileSync(join(copy, 'src/site/language/en.json'), 'utf8'), withoutNotes);
  writeFileSync(join(copy, 'src/site/language/pt.json'), JSON.stringify(english, undefined, 2));
}

beforeAll(() => {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of stdout
    .split('\n')
    .filter((each) => /^(?:src|scripts|content|public|[^/]+$)/.test(each) && !each.endsWith('.test.ts')))
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  mkdirSync(join(copy, 'node_modules')); // a directory of its own, because the program has a cache there
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => each !== '.cache'))
    symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  for (const block of [...recipes.values()].flat()) addBlock(block);
  addLanguage();
  cpSync(inject('mirror').small, snapshot, { recursive: true });
  changeSnapshot(snapshot, (db) => rewriteBody(db, 'object:lica-quay-1-1', (payload) => ({ ...payload, donor: 'Odile Marrow' })));
  createCache(join(folder.path, 'cache'));
  writeFileSync(join(copy, 'microfiche.config.json'), JSON.stringify({ design: { motto: 'Kept dry' } }));
  return folder.remove;
});

it.each([...recipes])('the recipe for %s touches few files, and names them', (heading, blocks) => {
  const files = new Set(blocks.map(({ path }) => path));
  const written = heading === 'a language of the interface' ? 1 : 0; // pt.json
  expect(files.size).toBeGreaterThan(0);
  expect(files.size + written).toBeLessThanOrEqual(MAX_FILES[heading] ?? 0);
});

it('has a recipe for each', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(MAX_FILES));
});

describe('a copy of the repository with the code of all recipes', () => {
  it('has correct types', () => {
    for (const check of CHECKS.filter((each) => !each.some((arg) => arg === 'tests'))) {
      const { status, output } = run(process.execPath, check);
      expect(status, output).toBe(0);
    }
  });

  it('builds a site that shows the field, the facet, the page, the setting, the language and the image format', () => {
    const { status, output } = microfiche(
      'build',
      '--snapshot',
      snapshot,
      '--out',
      dist,
      '--languages',
      'en,pt',
      '--pictures',
      'jpeg',
    );
    expect(status, output).toBe(0);
    const record = textOf('objects/lica-quay-1-1.html');
    expect(record).toContain('Odile Marrow');
    expect(record).toMatch(/href="\.\.\/browse\/donor\/[^"]+\.html"/);
    expect(record).toMatch(/src="\.\.\/media\/[^"]+\.jpeg"/);
    expect(record).toContain('Kept dry');
    expect(textOf('browse/donor/index.html')).toContain('Donors');
    expect(textOf('sources.html')).toContain('The archive is at http');
    expect(textOf('about.html')).toContain('href="sources.html"');
    expect(textOf('pt/index.html')).toContain('lang="pt"');
  });

  it('exports the new format', () => {
    const to = join(folder.path, 'titles');
    const { status, output } = microfiche('export', 'titles', '--snapshot', snapshot, '--to', to);
    expect(status, output).toBe(0);
    expect(readFileSync(join(to, 'titles.txt'), 'utf8')).toContain('Nets drying on the quay\n');
  });

  it('has the new option', () => {
    const { status, output } = microfiche('status', '--snapshot', snapshot, '--counts');
    expect(status, output).toBe(0);
    expect(output).toMatch(/^( +\d+ {2}.+\n)+$/);
  });
});
