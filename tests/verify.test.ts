/** `verify` finds each flaw that is planted, and nothing else. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { SiteAudit } from '../src/site/audit.ts';
import type { SnapshotAudit } from '../src/snapshot/audit.ts';
import { microfiche, temporary } from './support.ts';

let dist: string;
beforeEach(() => {
  dist = join(temporary(), 'dist');
  cpSync(inject('mirror').dist, dist, { recursive: true });
});

async function verify(
  ...args: string[]
): Promise<{ code: number | null; ok: boolean; site: SiteAudit; snapshot: SnapshotAudit }> {
  const { code, stdout } = await microfiche(['verify', '--json', ...args]);
  return { code, ...JSON.parse(stdout) };
}

function plant(path: string, addition: string): void {
  const file = join(dist, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(path.endsWith('.html') ? '</main>' : /$/, `${addition}$&`));
}

describe('in the site', () => {
  const network = [
    '<img src="http://tracker.example/p.gif" alt="">',
    '<script src="//cdn.example/x.js"></script>',
    '<link rel="stylesheet" href="https://fonts.example/f.css">',
    '<img srcset="//cdn.example/a.png 2x" alt="">',
    '<iframe src="https://frames.example/"></iframe>',
    '<form action="https://forms.example/"></form>',
    '<p style="background:url(https://images.example/a.png)"></p>',
    '<script>fetch("https://api.example/")</script>',
    '<meta http-equiv="refresh" content="1; url=https://away.example/">',
    '<video poster="https://posters.example/a.jpg"></video>',
    '<a href="javascript:alert(1)">x</a>',
  ];

  it('each thing that would ask the network', async () => {
    const pages = readdirSync(join(dist, 'objects'))
      .filter((name) => name.endsWith('.html'))
      .slice(0, network.length);
    network.forEach((flaw, i) => {
      plant(`objects/${pages[i]}`, flaw);
    });
    plant('assets/site.css', '@import "https://styles.example/s.css";');
    plant('assets/search.js', ';import("https://scripts.example/s.js");');
    const { code, site } = await verify('--dir', dist);
    expect(code).toBe(1);
    expect(new Set(site.network.map(({ what }) => what))).toEqual(
      new Set([...pages.map((name) => `objects/${name}`), 'assets/site.css', 'assets/search.js']),
    );
    expect(site.network).toHaveLength(network.length + 2);
    expect(site.broken).toEqual([]);
  });

  it('each broken link', async () => {
    const flaws = [
      '<a href="nowhere.html">x</a>',
      '<a href="/objects/lica.html">x</a>',
      '<a href="../../outside.html">x</a>',
      '<img src="../thumbs/none.webp" alt="">',
      '<a href="../index.html#no-such-place">x</a>',
      '<a href="../objects/">x</a>',
    ];
    plant('objects/lica.html', flaws.join(''));
    const { code, site } = await verify('--dir', dist);
    expect(code).toBe(1);
    expect(site.broken.map(({ what }) => what)).toEqual(flaws.map(() => 'objects/lica.html'));
    expect(site.network).toEqual([]);
  });

  it('links to a page that was deleted, and the page itself', async () => {
    rmSync(join(dist, 'objects/lica-quay-1-5.html'));
    const { site } = await verify('--dir', dist);
    expect(site.altered).toEqual([{ what: 'objects/lica-quay-1-5.html', problem: 'the file is lost' }]);
    expect(site.broken.length).toBeGreaterThan(1);
    for (const { problem } of site.broken) expect(problem).toContain('lica-quay-1-5.html');
  });
});

describe('in the snapshot', () => {
  it('each body and file that is not as it was received', async () => {
    const snapshot = join(temporary(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.prepare(
      `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), 'tide', 'ride') AS BLOB) WHERE key = 'object:lica-quay-1-2'`,
    ).run();
    db.close();
    const [flipped, lost] = readdirSync(join(snapshot, 'media/lica-quay-1')).map((name) =>
      join(snapshot, 'media/lica-quay-1', name),
    ) as [string, string];
    const bytes = readFileSync(flipped);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(flipped, bytes);
    rmSync(lost);
    const { code, snapshot: audit } = await verify('--snapshot', snapshot);
    expect(code).toBe(1);
    expect(audit.findings.map(({ what }) => what).sort()).toEqual(
      ['object:lica-quay-1-2', flipped.slice(snapshot.length + 1), lost.slice(snapshot.length + 1)].sort(),
    );
  });
});
