/** Builds repeat themselves to the byte, and a later build over an earlier one is what a clean build would have been. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../src/build/build.ts';
import { filesBelow, microfiche, microficheJson, temporary } from './support.ts';

const build = (snapshot: string, out: string, ...more: string[]) =>
  microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]);

function expectSameFiles(a: string, b: string): void {
  const [left, right] = [filesBelow(a), filesBelow(b)];
  expect([...left.keys()]).toEqual([...right.keys()]);
  for (const [path, content] of left) expect(content.equals(right.get(path) as Buffer), `${path} differs`).toBe(true);
}

/** A copy of the mirror's snapshot whose bodies may be changed. */
function copySnapshot(): {
  dir: string;
  change: (id: string, edit: (record: Record<string, unknown>) => void) => void;
  remove: (id: string) => void;
  receiveAgain: (id: string, at: string) => void;
} {
  const dir = join(temporary(), 'snapshot');
  cpSync(inject('mirror').snapshot, dir, { recursive: true });
  const edit = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(join(dir, 'snapshot.sqlite'));
    work(db);
    db.close();
  };
  return {
    dir,
    change: (id, change) =>
      edit((db) => {
        const row = db
          .prepare('SELECT p.id, p.body FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?')
          .get(`object:${id}`);
        const record = JSON.parse(Buffer.from(row?.['body'] as Uint8Array).toString());
        change(record);
        db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE id = ?').run(
          Buffer.from(JSON.stringify(record)),
          `changed-${Math.random()}`,
          row?.['id'] as number,
        );
      }),
    receiveAgain: (id, at) =>
      edit((db) => db.prepare('UPDATE response SET fetched_at = ? WHERE key = ?').run(at, `object:${id}`)),
    remove: (id) => edit((db) => db.prepare('DELETE FROM resource WHERE key = ?').run(`object:${id}`)),
  };
}

describe('two builds of one snapshot', () => {
  it('are byte-identical, both clean', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--clean');
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('over one another write nothing new', async () => {
    const out = join(temporary(), 'dist');
    const first = await build(inject('mirror').snapshot, out);
    const second = await build(inject('mirror').snapshot, out);
    expect([second.files, second.written, second.removed]).toEqual([first.files, 0, 0]);
  });
});

describe('a build over an older one', () => {
  it('equals a clean build after records changed, lost neighbours and went away', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.change('lica-quay-1-20', (record) => {
      record['title'] = 'A new title that its neighbours and its collection show';
      record['genre'] = 'map';
    });
    copy.change('lica-ferry-2-3', (record) => {
      record['public'] = '0';
    });
    copy.remove('lica-ferry-1-12');
    const again = await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
    expect(existsSync(join(folder, 'a/browse/genre/map.html'))).toBe(true);
    expect(existsSync(join(folder, 'a/objects/lica-ferry-2-3.html'))).toBe(false);
    expect(again.removed).toBeGreaterThan(0);
    expect(again.written).toBeLessThan(again.files / 2);
  });

  it('equals a clean build when a body went and came back, so that only its date changes', async () => {
    const copy = copySnapshot();
    const folder = temporary();
    await build(copy.dir, join(folder, 'a'));
    copy.receiveAgain('lica-quay-1-20', '2031-05-06T07:08:09.000Z');
    await build(copy.dir, join(folder, 'a'));
    await build(copy.dir, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });

  it('equals a clean build when only the address changes', async () => {
    const folder = temporary();
    await build(inject('mirror').snapshot, join(folder, 'a'), '--site', 'https://one.example/');
    await build(inject('mirror').snapshot, join(folder, 'a'));
    await build(inject('mirror').snapshot, join(folder, 'b'), '--clean');
    expectSameFiles(join(folder, 'a'), join(folder, 'b'));
  });
});

it('can be built from any working directory', async () => {
  const folder = temporary();
  const { code, stderr } = await microfiche(['build', '--snapshot', inject('mirror').snapshot], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
});
