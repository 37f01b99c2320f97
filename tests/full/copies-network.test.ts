/** A network of copies: outdated, damaged, cut off at random, beside a forged one. All honest copies end as the archive's. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { bodyOf, changeSnapshot, rewriteBody, storeBody } from '../support/change-snapshot.ts';
import { createTestDirectory, killWhileMoving, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';

const ROUNDS = 25;
const KINDS = ['snapshot', 'site'] as const;
const COPIES = ['village', 'school'] as const;

it(`three copies of which two are damaged and cut off ${ROUNDS} times end as the same, and a forged one changes nothing`, async () => {
  const top = createTestDirectory();
  const at = (copy: string, kind: string) => join(top, copy, kind);
  const build = (copy: string, out = at(copy, 'site')) =>
    runMicroficheJson(['build', '--snapshot', at(copy, 'snapshot'), '--out', out], { cwd: top });
  const change = (copy: string, action: Parameters<typeof changeSnapshot>[1]) => changeSnapshot(at(copy, 'snapshot'), action);

  cpSync(inject('mirror').small, at('archive', 'snapshot'), { recursive: true });
  change('archive', (db) =>
    db.exec("UPDATE run SET started_at = '2025-01-01T03:04:05.000Z', finished_at = '2025-01-01T03:05:05.000Z'"),
  );
  await build('archive');
  for (const copy of [...COPIES, 'forged']) cpSync(join(top, 'archive'), join(top, copy), { recursive: true });
  const ids = change('archive', (db) =>
    db
      .prepare(`SELECT name FROM resource WHERE kind = 'object' AND state = 'stored' ORDER BY length(name) DESC, name`)
      .all()
      .map(({ name }) => String(name)),
  ) as string[];
  const [withdrawn = '', changed = '', forged = ''] = ids;
  change('forged', (db) => rewriteBody(db, `object:${forged}`, (payload) => ({ ...payload, title: 'Forged' })));
  await build('forged');
  change('archive', (db) => {
    storeBody(db, `object:${changed}`, { ...bodyOf(db, `object:${changed}`), title: 'Changed' });
    db.exec("UPDATE run SET started_at = '2025-01-02T03:04:05.000Z', finished_at = '2025-01-02T03:05:05.000Z'");
  });
  await runMicroficheJson(['purge', withdrawn, '--snapshot', at('archive', 'snapshot'), '--yes'], { cwd: top });
  await build('archive');
  expect(existsSync(at('village', `site/objects/${withdrawn}.html`))).toBe(true);

  const seed = Number(process.env['SEED'] ?? Date.now() % 100_000);
  let state = seed;
  /** Returns a number from 0 below `limit`. */
  const random = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  const damage = (copy: string) => {
    const paths = [...readFiles(join(top, copy)).keys()].filter((path) => /^(?:site\/objects|snapshot\/media)\//.test(path));
    const file = join(top, copy, paths[random(paths.length)] as string);
    writeFileSync(file, 'x'.repeat(readFileSync(file).length));
  };
  let cut = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [copy, other] = random(2) === 0 ? COPIES : [COPIES[1], COPIES[0]];
    damage(copy);
    const kind = KINDS[random(2)] as string;
    const from = random(3) === 0 ? other : 'archive';
    const ended = await killWhileMoving(['sync', at(from, kind), at(copy, kind)], at(copy, kind), random(8), process.env);
    if (ended === 'SIGKILL') cut++;
  }
  expect(cut, `SEED=${seed}`).toBeGreaterThan(ROUNDS / 5);

  for (const kind of KINDS)
    for (const [n, copy] of COPIES.entries()) {
      await runMicroficheJson(['sync', at('archive', kind), at(copy, kind)]);
      const others = ['forged', COPIES[1 - n] as string, 'archive'].map((name) => at(name, kind));
      const option = kind === 'site' ? '--dir' : '--snapshot';
      const { code, stdout } = await runMicrofiche(['verify', option, at(copy, kind), '--with', ...others, '--repair']);
      expect([code, stdout]).toEqual([0, expect.any(String)]);
      expect((await runMicrofiche(['sync', at('forged', kind), at(copy, kind)])).code).toBe(1);
    }

  const fingerprint = async (copy: string) =>
    (await runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', at(copy, 'snapshot'), '--dir', 'nowhere']))
      .fingerprint;
  const contentOf = (site: string) => new Map([...readFiles(site)].map(([path, bytes]) => [path, bytes.toString('base64')]));
  const site = contentOf(at('archive', 'site'));
  expect(site.has(`objects/${withdrawn}.html`)).toBe(false);
  for (const copy of COPIES) {
    expect(await fingerprint(copy)).toBe(await fingerprint('archive'));
    expect(contentOf(at(copy, 'site'))).toEqual(site);
    await build(copy, at(copy, 'built'));
    expect(contentOf(at(copy, 'built'))).toEqual(site);
  }
  expect(await fingerprint('forged')).not.toBe(await fingerprint('archive'));
});
