/** `verify`: finds all damage that a test causes, and nothing else. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { SiteAudit } from '../../src/publish/site-audit.ts';
import type { SnapshotAudit } from '../../src/snapshot/audit.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { createTestDirectory, runMicrofiche } from '../support/commands.ts';

let dist: string;
beforeEach(() => {
  dist = join(createTestDirectory(), 'dist');
  cpSync(inject('mirror').dist, dist, { recursive: true });
});

async function verify(
  ...args: string[]
): Promise<{ code: number | null; ok: boolean; site: SiteAudit; snapshot: SnapshotAudit }> {
  const { code, stdout } = await runMicrofiche(['verify', '--json', ...args]);
  return { code, ...JSON.parse(stdout) };
}

function plant(path: string, addition: string): void {
  const file = join(dist, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(path.endsWith('.html') ? '</main>' : /$/, `${addition}$&`));
}

describe('the audit of a site', () => {
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

  it('finds each network reference', async () => {
    const pages = readdirSync(join(dist, 'objects'))
      .filter((name) => name.endsWith('.html'))
      .slice(0, network.length);
    network.forEach((flaw, i) => {
      plant(`objects/${pages[i]}`, flaw);
    });
    plant('assets/site.css', '@import "https://styles.example/s.css";');
    plant('assets/search-page.js', ';import("https://scripts.example/s.js");');
    const { code, site } = await verify('--dir', dist);
    expect(code).toBe(1);
    expect(new Set(site.network.map(({ what }) => what))).toEqual(
      new Set([...pages.map((name) => `objects/${name}`), 'assets/site.css', 'assets/search-page.js']),
    );
    expect(site.network).toHaveLength(network.length + 2);
    expect(site.broken).toEqual([]);
  });

  it('says in one line what operating systems left in a site, which is no part of it', async () => {
    for (const left of ['.DS_Store', 'objects/._index.html', 'objects/Thumbs.db', 'desktop.ini'])
      writeFileSync(join(dist, left), 'x');
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Left by an operating system, and no part of it: .DS_Store and 3 more. These files can be deleted.\n',
    );
    writeFileSync(join(dist, 'objects/notes.html'), 'x');
    expect((await verify('--dir', dist)).site.orphans).toMatchObject([{ what: 'objects/notes.html' }]);
  });

  it('finds each broken link', async () => {
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

  it('finds a page that was deleted, and the links to it', async () => {
    rmSync(join(dist, 'objects/lica-quay-1-5.html'));
    const { site } = await verify('--dir', dist);
    expect(site.altered).toEqual([{ what: 'objects/lica-quay-1-5.html', problem: 'the file is missing' }]);
    expect(site.broken.length).toBeGreaterThan(1);
    for (const { problem } of site.broken) expect(problem).toContain('lica-quay-1-5.html');
  });
});

describe('the audit of a snapshot', () => {
  it('finds each missing and corrupted body and file', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
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

describe('the report', () => {
  it('groups findings by cause, and uses the right singular and plural', async () => {
    rmSync(join(dist, 'assets/site.css'));
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([1, 15]);
    expect(lines[0]).toMatch(
      /^Site: \d+ pages, \d+ links: \d+ broken links, 0 network references, 1 missing or corrupted file, 0 orphan files, .* \d+ files total\.$/,
    );
    expect(lines[3]).toMatch(/^ {2}\d+ × assets\/site\.css is not in the site$/);
    expect(lines[14]).toMatch(/^ {4}… and \d+ more, in the output of --json$/);
  });

  it('says how to compare with a copy on a server', async () => {
    const args = ['verify', '--snapshot', inject('mirror').snapshot, '--with', 'https://a.example/site/'];
    const { stderr, code } = await runMicrofiche(args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('"microfiche sync https://a.example/site/ DIR", and name DIR.\n'),
    ]);
  });

  it('distinguishes files from the URLs that share them', async () => {
    const { stdout, code } = await runMicrofiche(['verify', '--snapshot', inject('mirror').snapshot]);
    const [, files, names] = /(\d+) distinct media files of (\d+) URLs/.exec(stdout) ?? [];
    expect([code, Number(names) >= Number(files), Number(files) > 0]).toEqual([0, true, true]);
  });

  it('appends a line to the log for each run, passed or failed', async () => {
    const log = join(createTestDirectory(), 'fixity.log');
    writeFileSync(log, 'a line that was trunca');
    await verify('--dir', dist, '--log', log);
    writeFileSync(join(dist, 'CNAME'), 'x');
    const { code, log: line } = (await verify('--dir', dist, '--log', log)) as unknown as { code: number; log: string };
    await verify('--dir', dist, '--log', log);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect([code, lines.length, lines[2]]).toEqual([1, 4, line]);
    expect(lines[1]).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z microfiche\/\d+\.\d+\.\d+ ok site="\/.*" archive="http:.*" files=\d+ pages=\d+ links=\d+ bytes=\d+ sha256=[0-9a-f]{64} findings=0$/,
    );
    expect(lines[2]).toMatch(/ failed .* findings=1 findings-sha256=[0-9a-f]{64}$/);
    const finding = (text = '') => text.slice(text.lastIndexOf('='));
    expect(finding(lines[3])).toBe(finding(lines[2])); // the findings are the same
  });

  it('says how many files a sample has read, and compares the sizes of the others', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const { snapshot: whole } = await verify('--snapshot', snapshot);
    expect(whole.unread).toBe(0);
    const [first = '', second = ''] = listFiles(join(snapshot, 'media')).map(([, file]) => file);
    writeFileSync(first, readFileSync(first).reverse()); // of the same size
    writeFileSync(second, 'cut');
    const sample = await verify('--snapshot', snapshot, '--sample-rate', '0%');
    expect([sample.code, sample.snapshot.unread]).toEqual([1, whole.files]);
    expect(sample.snapshot.findings).toMatchObject([
      { problem: expect.stringMatching(/^the file has 3 bytes, not \d+ as received$/) },
    ]);
    const least = await verify('--snapshot', snapshot, '--sample-rate', '0.0001%');
    expect(least.snapshot.files - least.snapshot.unread).toBeGreaterThan(0);
    expect((await verify('--snapshot', snapshot, '--sample-rate', '100%')).snapshot.findings).toHaveLength(2);

    const log = join(createTestDirectory(), 'fixity.log');
    const { stdout } = await runMicrofiche(['verify', '--dir', dist, '--sample-rate', '0', '--log', log]);
    expect(stdout).toMatch(/^--sample-rate: looked at \d+ files, read \d+\.$/m);
    expect(readFileSync(log, 'utf8')).toMatch(/ files=\d+ files-read=\d+ pages=/);
  });

  it('says that a directory is not a site', async () => {
    const { snapshot } = inject('mirror');
    expect(await runMicrofiche(['verify', '--dir', snapshot])).toEqual({
      code: 1,
      stdout: '',
      stderr: `microfiche: ${snapshot} is not a site made by Microfiche. Name the site's directory with --dir.\n`,
    });
  });

  it('reports before the audit that the log cannot be written', async () => {
    for (const log of [join(createTestDirectory(), 'none/fixity.log'), createTestDirectory()]) {
      const { code, stderr } = await runMicrofiche(['verify', '--dir', dist, '--log', log]);
      expect([code, stderr.trim().split('\n').length, stderr]).toEqual([1, 1, expect.stringMatching(/Name a file .*with --log/)]);
    }
  });
});

it('fails without a manifest, in an empty directory, and if there are orphan files', async () => {
  for (const change of [
    () => writeFileSync(join(dist, 'objects/added.html'), '<p>'),
    () => rmSync(join(dist, 'manifest-sha256.txt')),
    () => rmSync(dist, { recursive: true }),
  ]) {
    change();
    mkdirSync(dist, { recursive: true });
    const { code, ok } = await verify('--dir', dist);
    expect([code, ok]).toEqual([1, false]);
  }
});
