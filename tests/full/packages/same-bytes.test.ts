/** The same snapshot and site give the same bytes: in another directory, year, umask, time zone and locale. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createSharedDirectory, ROOT, readFiles } from '../../support/commands.ts';
import { exportAll, PACKAGES } from '../../support/export-all.ts';

const { path: shared, remove } = createSharedDirectory();
const [here, elsewhere] = [join(shared, 'here'), join(shared, 'deep', 'in', 'another place')];

/** A module that moves the clock of a process by some 400 days. */
const OTHER_CLOCK = `const Real = Date; const now = () => Real.now() + 400 * 86_400_123;
globalThis.Date = class extends Real { constructor(...args) { super(...(args.length === 0 ? [now()] : args)); } static now() { return now(); } };`;

beforeAll(async () => {
  const { snapshot, dist } = inject('mirror');
  await exportAll(snapshot, dist, here);
  const [otherSnapshot, otherDist] = [join(shared, 'other-snapshot'), join(shared, 'other-dist')];
  cpSync(snapshot, otherSnapshot, { recursive: true });
  cpSync(dist, otherDist, { recursive: true });
  const clock = `data:text/javascript,${encodeURIComponent(OTHER_CLOCK)}`;
  const node = [process.execPath, '--import', clock, 'tests/support/export-all.ts', otherSnapshot, otherDist, elsewhere];
  const { stdout } = await execa(process.execPath, ['--import', clock, '-p', 'new Date().getFullYear()']);
  expect(Number(stdout)).toBeGreaterThan(new Date().getFullYear()); // the clock is another one
  const env = { TZ: 'Asia/Tokyo', LC_ALL: 'C', LANG: 'ja_JP.UTF-8' };
  await execa('sh', ['-c', 'umask 077; exec "$@"', 'sh', ...node], { cwd: ROOT, env });
});
afterAll(remove);

it.each(PACKAGES)('%s: %s', (_, name) => {
  const only = (directory: string) => [...readFiles(directory)].filter(([path]) => path === name || path.startsWith(`${name}/`));
  const [first, second] = [only(here), only(elsewhere)];
  expect(second.map(([path]) => path)).toEqual(first.map(([path]) => path));
  expect(first.length).toBeGreaterThan(0);
  expect(second.filter(([, bytes], i) => !bytes.equals(first[i]?.[1] as Buffer)).map(([path]) => path)).toEqual([]);
});
