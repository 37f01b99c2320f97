/** Bags: others' tools check them, import gives the same snapshot again, and damaged ones are refused. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { ExportReport } from '../../src/export/export-context.ts';
import type { ImportReport } from '../../src/export/import-staging.ts';
import { createSharedDirectory, createTestDirectory, runMicrofiche, runMicroficheJson } from '../support.ts';

const shared = createSharedDirectory();
const snapshot = () => inject('mirror').snapshot;
const bag = () => join(shared.path, 'bag');
let report: ExportReport;

beforeAll(async () => {
  report = await runMicroficheJson<ExportReport>(['export', 'bagit', '--snapshot', snapshot(), '--to', bag()]);
}, 60_000);

const fingerprintOf = async (dir: string) =>
  (await runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', dir, '--dir', 'nowhere'])).fingerprint;

it('is complete and unchanged, says sha256sum', async () => {
  for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt'])
    await execa('sha256sum', ['-c', '--quiet', '--strict', name], { cwd: bag() });
  for (const name of ['manifest-sha512.txt', 'tagmanifest-sha512.txt'])
    await execa('sha512sum', ['-c', '--quiet', '--strict', name], { cwd: bag() });
  const listed = readFileSync(join(bag(), 'manifest-sha256.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
  const { stdout } = await execa('find', ['data', '-type', 'f'], { cwd: bag() });
  expect(stdout.split('\n').sort()).toEqual(listed.sort());
});

it('has a declaration, an info file and a README that say what it is', async () => {
  const text = (name: string) => readFileSync(join(bag(), name), 'utf8');
  expect(text('bagit.txt')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
  const { stdout: sizes } = await execa('find', ['data', '-type', 'f', '-printf', '%s\n'], { cwd: bag() });
  const bytes = sizes.split('\n').map(Number);
  expect(text('bag-info.txt')).toContain(`Payload-Oxum: ${bytes.reduce((a, b) => a + b)}.${bytes.length}\n`);
  expect(text('bag-info.txt').replace(/\n +/g, ' ')).toContain('may contain records that the archive does not publish');
  expect(text('README.txt')).toContain('sha256sum -c manifest-sha256.txt');
  expect(report.fingerprint).toBe(await fingerprintOf(snapshot()));
});

it('has a finding aid of each published collection, which links to the media files of the bag', () => {
  const directory = join(bag(), 'data/finding-aids');
  const aids = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  const links = aids.flatMap((xml) => [...xml.matchAll(/href="(\.\.\/media\/[^"]+)"/g)].map(([, href = '']) => href));
  expect(aids.length).toBeGreaterThan(3);
  expect(links.length).toBeGreaterThan(20);
  for (const href of links) expect([href, existsSync(join(directory, decodeURI(href)))]).toEqual([href, true]);
});

it('is an RO-Crate that describes each file', () => {
  const crate = JSON.parse(readFileSync(join(bag(), 'data/ro-crate-metadata.json'), 'utf8')) as {
    '@context': string;
    '@graph': Array<Record<string, unknown>>;
  };
  expect(crate['@context']).toBe('https://w3id.org/ro/crate/1.2/context');
  const byId = new Map(crate['@graph'].map((entity) => [entity['@id'], entity]));
  expect(byId.get('ro-crate-metadata.json')).toMatchObject({
    about: { '@id': './' },
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
  });
  const parts = byId.get('./')?.['hasPart'] as Array<{ '@id': string }>;
  expect(parts.every(({ '@id': id }) => existsSync(join(bag(), 'data', decodeURI(id))) && byId.has(id))).toBe(true);
  expect(parts.length).toBeGreaterThan(100);
});

describe.each(['', '.zip', '.tar'])('as bag%s', (extension) => {
  it('has the same bytes each time, and is imported as the same snapshot', async () => {
    const directory = createTestDirectory();
    const [first, second] = [join(directory, `a${extension}`), join(directory, `b${extension}`)] as const;
    await runMicroficheJson(['export', 'bagit', '--snapshot', snapshot(), '--to', first]);
    const imported = join(directory, 'imported');
    const { fingerprint } = await runMicroficheJson<ImportReport>(['import', first, '--snapshot', imported]);
    expect([fingerprint, await fingerprintOf(imported)]).toEqual([report.fingerprint, report.fingerprint]);
    const { code } = await runMicrofiche(['verify', '--snapshot', imported, '--dir', inject('mirror').dist]);
    expect(code).toBe(0);
    const { exitCode } = await execa(
      'sh',
      [
        '-c',
        'umask 077; exec "$@"',
        'sh',
        process.execPath,
        'scripts/microfiche.ts',
        'export',
        'bagit',
        '--snapshot',
        imported,
        '--to',
        second,
      ],
      {
        env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' },
      },
    );
    expect(exitCode).toBe(0);
    await execa('diff', ['-r', first, second]);
  }, 120_000);
});

it('replaces its own export, and nothing else', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'bag.zip');
  for (let i = 0; i < 2; i++) await runMicroficheJson(['export', 'bagit', '--snapshot', snapshot(), '--to', target]);
  writeFileSync(target, 'mine');
  const { code, stderr } = await runMicrofiche(['export', 'bagit', '--snapshot', snapshot(), '--to', target]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/exists, and Microfiche did not export it\. Choose another path, or move it away\.\n$/),
  ]);
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(readdirSync(directory)).toEqual(['bag.zip']);
});

describe('a damaged or unsafe bag is refused, and nothing is written', () => {
  /** Changes a copy of the bag, tries to import it, and returns the message. */
  async function importChanged(change: (bag: string) => void | Promise<void>, pack?: 'zip' | 'tar'): Promise<string> {
    const directory = createTestDirectory();
    const copy = join(directory, 'bag');
    cpSync(bag(), copy, { recursive: true });
    await change(copy);
    let path = copy;
    if (pack === 'tar') await execa('tar', ['-cf', 'bag.tar', 'bag'], { cwd: directory });
    if (pack === 'zip') await execa('zip', ['-q', '-y', '-r', 'bag.zip', 'bag'], { cwd: directory });
    if (pack) {
      path = join(directory, `bag.${pack}`);
      rmSync(copy, { recursive: true });
    }
    const { code, stderr } = await runMicrofiche(['import', path, '--snapshot', join(directory, 'imported')]);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(readdirSync(directory).filter((name) => !name.startsWith('bag'))).toEqual([]);
    return stderr;
  }
  const flip = (file: string, at: number) => {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(file, bytes);
  };
  const firstMedia = (copy: string) => {
    const [, path = ''] = /^\S+ {2}(data\/media\/.+)$/m.exec(readFileSync(join(copy, 'manifest-sha256.txt'), 'utf8')) ?? [];
    return join(copy, path);
  };

  it.each([
    [
      'a flipped bit in the database',
      (copy: string) => flip(join(copy, 'data/snapshot.sqlite'), 5000),
      /data\/snapshot\.sqlite was changed/,
    ],
    ['a flipped bit in a media file', (copy: string) => flip(firstMedia(copy), 10), /was changed/],
    ['a flipped bit in a manifest', (copy: string) => flip(join(copy, 'manifest-sha512.txt'), 3), /was changed|damaged/],
    ['a flipped bit in a tag file', (copy: string) => flip(join(copy, 'bag-info.txt'), 3), /bag-info\.txt was changed/],
    [
      'a truncated media file',
      (copy: string) => writeFileSync(firstMedia(copy), readFileSync(firstMedia(copy)).subarray(0, 100)),
      /was changed/,
    ],
    ['a missing media file', (copy: string) => rmSync(firstMedia(copy)), /is missing/],
    [
      'a file that is not listed',
      (copy: string) => writeFileSync(join(copy, 'data/extra.txt'), 'x'),
      /data\/extra\.txt is not listed/,
    ],
    [
      'no manifest',
      (copy: string) => {
        for (const checksum of ['sha256', 'sha512']) rmSync(join(copy, `manifest-${checksum}.txt`));
      },
      /no manifest|is missing/,
    ],
    [
      'a manifest that names a path outside',
      (copy: string) => writeFileSync(join(copy, 'manifest-sha256.txt'), `${'0'.repeat(64)}  ../outside\n`),
      /missing|was changed/,
    ],
    [
      'a manifest with a line twice',
      (copy: string) => {
        const file = join(copy, 'manifest-sha256.txt');
        writeFileSync(file, readFileSync(file, 'utf8').repeat(2));
      },
      /damaged|was changed/,
    ],
    ['no declaration', (copy: string) => rmSync(join(copy, 'bagit.txt')), /not a BagIt bag/],
    ['no snapshot', (copy: string) => rmSync(join(copy, 'data/snapshot.sqlite')), /missing/],
    [
      'a symbolic link',
      (copy: string) => {
        rmSync(firstMedia(copy));
        symlinkSync('/etc/passwd', firstMedia(copy));
      },
      /link/,
    ],
    [
      'a link to a directory',
      (copy: string) => {
        rmSync(join(copy, 'data/media'), { recursive: true });
        symlinkSync('/etc', join(copy, 'data/media'));
      },
      /link/,
    ],
  ])('%s', async (_, change, message) => expect(await importChanged(change)).toMatch(message));

  it.each([
    ['a symbolic link in a TAR file', 'tar', /is a link/],
    ['a symbolic link in a ZIP file', 'zip', /is a symbolic link/],
  ] as const)('%s', async (_, pack, message) =>
    expect(
      await importChanged((copy) => {
        rmSync(firstMedia(copy));
        symlinkSync('/etc/passwd', firstMedia(copy));
      }, pack),
    ).toMatch(message),
  );

  it('a truncated file', async () => {
    const directory = createTestDirectory();
    for (const form of ['zip', 'tar']) {
      const path = join(directory, `x.${form}`);
      await runMicroficheJson(['export', 'bagit', '--snapshot', snapshot(), '--to', path]);
      writeFileSync(path, readFileSync(path).subarray(0, 1_000_000));
      const { code, stderr } = await runMicrofiche(['import', path, '--snapshot', join(directory, 'imported')]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^microfiche: .*x\.(?:zip|tar) (?:is damaged|was not imported)/)]);
    }
    expect(readdirSync(directory).sort()).toEqual(['x.tar', 'x.zip']);
  });

  it('a path that points outside, in a TAR file', async () => {
    const directory = createTestDirectory();
    mkdirSync(join(directory, 'in'));
    writeFileSync(join(directory, 'escaped.txt'), 'x');
    await execa('tar', ['-cPf', '../evil.tar', '../escaped.txt'], { cwd: join(directory, 'in') });
    const { code, stderr } = await runMicrofiche([
      'import',
      join(directory, 'evil.tar'),
      '--snapshot',
      join(directory, 'imported'),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is unsafe: \.\.\/escaped\.txt: it points outside its directory/)]);
  });

  it('a ZIP bomb', async () => {
    const directory = createTestDirectory();
    mkdirSync(join(directory, 'bag/data'), { recursive: true });
    writeFileSync(join(directory, 'bag/data/zeros'), Buffer.alloc(50_000_000));
    await execa('zip', ['-q', '-r', 'bomb.zip', 'bag'], { cwd: directory });
    const { code, stderr } = await runMicrofiche([
      'import',
      join(directory, 'bomb.zip'),
      '--snapshot',
      join(directory, 'imported'),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/expands to more than 200 times its size/)]);
  });

  it('anything that is not a package', async () => {
    const directory = createTestDirectory();
    writeFileSync(join(directory, 'text'), 'nets');
    for (const [path, message] of [
      ['text', /is not a package that Microfiche can read/],
      ['nothing', /does not exist/],
    ] as const) {
      const { code, stderr } = await runMicrofiche(['import', join(directory, path), '--snapshot', join(directory, 'imported')]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    }
  });

  it('and a snapshot is never replaced', async () => {
    const directory = join(createTestDirectory(), 'imported');
    mkdirSync(directory);
    writeFileSync(join(directory, 'mine'), 'x');
    const { code, stderr } = await runMicrofiche(['import', bag(), '--snapshot', directory]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is not empty/)]);
    expect(readdirSync(directory)).toEqual(['mine']);
  });
});

it('leaves nothing at its path if it is killed, or may not write', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'bag');
  const run = execa(process.execPath, ['scripts/microfiche.ts', 'export', 'bagit', '--snapshot', snapshot(), '--to', target], {
    reject: false,
  });
  const appeared = async () => {
    while (!readdirSync(directory).some((name) => name.includes('exporting-')))
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await appeared();
  run.kill('SIGKILL');
  await run;
  expect(existsSync(target)).toBe(false);
  await runMicroficheJson(['export', 'bagit', '--snapshot', snapshot(), '--to', target]);
  expect(readdirSync(directory)).toEqual(['bag']);
  if (process.getuid?.() !== 0) {
    chmodSync(directory, 0o500);
    const { code, stderr } = await runMicrofiche(['export', 'bagit', '--snapshot', snapshot(), '--to', join(directory, 'other')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/No permission to write/)]);
    chmodSync(directory, 0o700);
  }
}, 60_000);
