/** What `npm run typecheck` allows code to use: Node and no DOM, but in src/reader the DOM and no Node. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKS } from '../../scripts/typecheck.ts';
import { createTestDirectory, ROOT } from '../support/commands.ts';

/** What Astro writes into `.astro/types.d.ts`. */
const ASTRO_TYPES = '/// <reference types="astro/client" />\n';
const USES_DOM = 'export const a = document.title;\n';
const USES_NODE = "import { existsSync } from 'node:fs';\nexport const b = existsSync('.');\n";

/** Runs one command of `npm run typecheck` in a project with these files, and returns the errors. */
function typecheck(project: string, files: Record<string, string>): string[] {
  const check = CHECKS.find((each) => each.join(' ').endsWith(` --noEmit -p ${project}`));
  expect(check).toBeDefined();
  const directory = createTestDirectory();
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const config of ['package.json', 'tsconfig.json', 'scripts/tsconfig.json', 'src/reader/tsconfig.json'])
    cpSync(join(ROOT, config), join(directory, config));
  for (const [path, text] of Object.entries({ '.astro/types.d.ts': ASTRO_TYPES, ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const { stdout } = spawnSync(process.execPath, check ?? [], { cwd: directory, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

it.each(['src/platform/a.ts', 'scripts/a.ts'])('%s has Node and no DOM, also after Astro wrote its types', (path) => {
  const errors = typecheck('scripts', { [path]: USES_DOM, [path.replace('a.ts', 'b.ts')]: USES_NODE });
  expect(errors).toEqual([expect.stringMatching(`^${path}.* Cannot find name 'document'`)]);
});

it('src/reader has the DOM and no Node', () => {
  const errors = typecheck('src/reader', { 'src/reader/a.ts': USES_DOM, 'src/reader/b.ts': USES_NODE });
  expect(errors).toEqual([expect.stringMatching(/^src\/reader\/b\.ts.*'node:fs'/)]);
});
