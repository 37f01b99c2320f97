/** What `npm run lint` refuses besides the usual: imports that climb. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, temporary } from './support.ts';

/** Lints one file with the project's own rules. */
function lint(path: string, text: string): { code: number | null; said: string } {
  const folder = temporary();
  for (const rules of ['.biome.json', '.biome-rooms.grit']) cpSync(join(ROOT, rules), join(folder, rules));
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const ran = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', '.'], { cwd: folder, encoding: 'utf8' });
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

const importing = (from: string) => `import { some } from '${from}';\n\nexport const other = some;\n`;

it.each([
  ['src/model/slug.ts', '../http/client.ts'],
  ['src/site/views/names.ts', '../../pipeline/build.ts'],
  ['src/catalogue/urls.ts', '../site/fields.ts'],
  ['src/harvest/scope.ts', '../media/plan.ts'],
  ['src/http/gate.ts', '../../scripts/options.ts'],
])('an import into %s from %s climbs, and lint says which way is down', (path, from) => {
  const { code, said } = lint(path, importing(from));
  expect([code, said]).toEqual([1, expect.stringContaining('This import climbs. Down is: scripts, pages → pipeline')]);
});

it.each([
  ['src/pipeline/build.ts', '../search/index.ts'],
  ['src/site/views/names.ts', '../../model/slug.ts'],
  ['src/site/fields.test.ts', '../pipeline/build.ts'],
])('an import into %s from %s is fine', (path, from) => {
  expect(lint(path, importing(from))).toMatchObject({ code: 0 });
});
