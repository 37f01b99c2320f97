/** Sites and USB drives that an attacker changed: nothing outside is read, changed or deleted, and every command ends in time. */
import { cpSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeError, isExpected } from '../../../src/model/errors.ts';
import { copyToUsb } from '../../../src/publish/copies/copy-to-usb.ts';
import { lockSite } from '../../../src/publish/files/site-lock.ts';
import { auditSite } from '../../../src/publish/site-audit.ts';
import { assertSameArchive, readSiteIdentity } from '../../../src/publish/site-identity.ts';
import { listFiles } from '../../../src/snapshot/directory-files.ts';
import { createTestGround, type TestGround } from '../../support/canaries.ts';
import { createSharedDirectory, LONG, runMicrofiche, upstreamOptions } from '../../support/commands.ts';
import { createImage, createRecordWithImage } from '../../support/file-server.ts';
import { publishSite } from '../../support/publish-site.ts';
import { respondWith, startTestUpstream } from '../../support/test-upstream.ts';

const SEED = Number(process.env['MICROFICHE_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 12));
const RUNS = LONG ? 1000 : 20;
/** Maximum milliseconds of a step. */
const MAX_STEP_MS = 30_000;

/** Returns the processor time that this process has used, in milliseconds: other work on the machine does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const { path: shared, remove } = createSharedDirectory();
const snapshot = join(shared, 'snapshot');
const plain = join(shared, 'plain');
const compact = join(shared, 'compact');
const drive = join(shared, 'drive');

beforeAll(async () => {
  console.log(`seed of the damages: ${SEED} (MICROFICHE_SEED)`);
  const upstream = await startTestUpstream({ shared: true });
  upstream.routes.set('/a.jpg', respondWith(200, {}, await createImage()));
  const ids = ['demo-org-1-1', 'demo-org-1-2'];
  for (const id of ids) upstream.routes.set(`/api/0.2/${id}/`, createRecordWithImage(id, `${upstream.url}/a.jpg`));
  const env = { XDG_STATE_HOME: join(shared, 'state'), MICROFICHE_CACHE: join(shared, 'cache') };
  const urls = [...upstreamOptions(upstream.url)];
  mkdirSync(drive);
  for (const args of [
    ['harvest', ...urls, '--snapshot', snapshot, '--root', ids.join(',')],
    ['media', '--snapshot', snapshot],
    ['build', '--snapshot', snapshot, '--out', plain, '--no-search'],
    ['build', '--snapshot', snapshot, '--out', compact, '--compact'],
    ['usb', '--dir', plain, '--to', drive],
  ])
    expect(await runMicrofiche(args, { env }), args.join(' ')).toMatchObject({ code: 0 });
  await upstream.close();
});
afterAll(remove);

/** One change to a directory. The numbers select the path and the value. */
interface Change {
  how: 'link' | 'manifest' | 'journal' | 'pack' | 'identity' | 'page';
  place: number;
  value: number;
}

const changes: fc.Arbitrary<{ compact: boolean; all: Change[] }> = fc.record({
  compact: fc.boolean(),
  all: fc.array(
    fc.record({
      how: fc.constantFrom('link', 'link', 'link', 'manifest', 'journal', 'pack', 'identity', 'page'),
      place: fc.nat(1_000_000),
      value: fc.nat(1_000_000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

const CHECKSUM = '0'.repeat(64);
const HOSTILE_PATHS = [
  ...[
    '../canary.txt',
    '../../canary.txt',
    'objects/../../canary.txt',
    '/etc/hostname',
    'C:/canary.txt',
    'a\\..\\..\\b',
    'a\0b',
    '',
  ],
  ...['.', '..', 'objects', 'objects/', '.microfiche-new', '.microfiche-new/x', '.microfiche-journal.txt', '.microfiche-lock'],
  ...['manifest-sha256.txt', 'manifest-sha256.txt/x', 'microfiche-copy.part', 'microfiche-copy.txt', 'microfiche-copy.txt/x'],
  ...['START HERE.html', 'index.html/x', 'x'.repeat(199), `${'x/'.repeat(99)}x`, 'a\u202eb', '__proto__', 'linked/canary.txt'],
];
const IDENTITIES = [
  ...['', '{', 'null', '7', '[]', '{}', '['.repeat(60_000), 'x'.repeat(70_000), '{"format":1,"snapshot":7}'],
  '{"format":1,"snapshot":"x","sample":"\\u202e\\u001b[31m"}',
  '{"format":1,"snapshot":"x","authorsUrl":"javascript:alert(1)","catalogUrl":"http://["}',
];
const block = (text: string) => gzipSync(text).toString('base64');
const pack = (...blocks: unknown[]) => `microfichePack("x",${JSON.stringify(blocks)});\n`;
/** Returns a block that is large after decompression. */
const decompressionBomb = (megabytes: number, table: object) =>
  gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(table)}\n`), Buffer.alloc(megabytes * 1_000_000, '<')])).toString(
    'base64',
  );
const PACKS: Array<() => string> = [
  () => pack(['a', block('{"../../canary.txt":[0,2],"/etc/hostname":[0,1],"__proto__":[0,1]}\nxx')]),
  () => pack(['a', block('{"a":[-5,1e9],"b":["x",null],"c":7}\nxx')], 7, null, ['b'], ['c', 'not base64 of gzip']),
  () => pack(['a', block('null\n')], ['b', block('no line')]),
  () => 'microfichePack("x",{"length":3});\n',
  () => `microfichePack("x",${'['.repeat(100_000)});\n`,
  () => pack(['a', decompressionBomb(100, { a: [0, 100_000_000] })]),
  () => pack(...Array(30).fill(['a', decompressionBomb(30, { a: [0, 30_000_000] })])),
  () =>
    pack([
      'a',
      decompressionBomb(20, Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`page${n}.html`, [0, 20_000_000]]))),
    ]),
];
const PAGES = [
  '',
  '<',
  '<a'.repeat(300_000),
  '<div '.repeat(200_000),
  '<style>'.repeat(50_000),
  '<svg><'.repeat(100_000),
  '\u0000\ufffe',
  '<a href="'.repeat(100_000),
];

/** Applies one change to a directory. Returns a description of it. */
function applyChange(ground: TestGround, directory: string, { how, place, value }: Change): string {
  const files = listFiles(directory).map(([path]) => path);
  const write = (path: string, content: string) => {
    const at = join(directory, path);
    if (!isReal(directory, dirname(path)) || lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return 'nothing';
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { force: true });
    writeFileSync(at, content);
    return `${path} has ${JSON.stringify(content.slice(0, 60))}`;
  };
  const line = `${CHECKSUM}  ${HOSTILE_PATHS[value % HOSTILE_PATHS.length]}\n`;
  const manifest = files.find((path) => path.endsWith('manifest-sha256.txt'));
  if (how === 'manifest') return manifest ? write(manifest, readFileSync(join(directory, manifest), 'utf8') + line) : 'nothing';
  if (how === 'journal') return write(place % 2 === 0 ? '.microfiche-journal.txt' : 'mirror/microfiche-copy.txt', line);
  if (how === 'identity') return write('microfiche.json', IDENTITIES[value % IDENTITIES.length] as string);
  if (how === 'pack')
    return write(`pages/${place % 2 === 0 ? 'x' : 'directory'}.js`, (PACKS[value % PACKS.length] as () => string)());
  if (how === 'page')
    return write(files[place % Math.max(1, files.length)] ?? 'index.html', PAGES[value % PAGES.length] as string);
  const directories = [...new Set(files.map((path) => dirname(path)).filter((path) => path !== '.'))];
  const workingFiles = [
    '.microfiche-new',
    '.microfiche-journal.txt',
    '.microfiche-lock',
    '.microfiche-lock-journal',
    'linked',
    'objects/loop',
  ];
  const driveFiles = [
    'mirror',
    'START HERE.html',
    'START HERE.html.part',
    'README.txt',
    'mirror/microfiche-copy.txt',
    'mirror/microfiche-copy.part',
  ];
  const paths = [
    ...files,
    ...directories,
    ...workingFiles,
    ...(directories.includes('mirror') ? driveFiles : []),
    'microfiche.json',
    'index.html',
  ];
  const path = paths[place % paths.length] as string;
  if (!isReal(directory, dirname(path))) return 'nothing';
  const targets = [...ground.canaries, ground.directory, ground.fifo, join(ground.directory, 'new'), '..', '.'];
  const target = targets[value % targets.length] as string;
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  rmSync(join(directory, path), { recursive: true, force: true });
  symlinkSync(target, join(directory, path));
  return `${path} is a link to ${target}`;
}

/** Returns whether a directory and its ancestors are real directories, or do not exist. */
function isReal(top: string, directory: string): boolean {
  if (directory === '.') return true;
  const stats = lstatSync(join(top, directory), { throwIfNoEntry: false });
  return isReal(top, dirname(directory)) && (stats === undefined || stats.isDirectory());
}

/** Runs a step, which may end with a sentence for the operator. Returns its result as text. */
async function runStep(name: string, work: () => unknown, damage: string): Promise<string> {
  const start = processorTime();
  try {
    return JSON.stringify(await work()) ?? '';
  } catch (error) {
    if (!isExpected(error)) throw new Error(`${name}: ${(error as Error).stack}\n${damage}`);
    expect(describeError(error), damage).not.toContain('\n');
    return describeError(error);
  } finally {
    expect(processorTime() - start, `milliseconds of ${name}: ${damage}`).toBeLessThan(MAX_STEP_MS);
  }
}

describe.each([
  ['site', () => plain],
  ['USB drive', () => drive],
])('a changed %s', (what, original) => {
  it(
    `gives access to no canary for any change (${RUNS} times)`,
    async () => {
      const property = fc.asyncProperty(changes, async ({ compact: packed, all }) => {
        const ground = createTestGround();
        try {
          const isSite = what === 'site';
          const directory = isSite ? ground.out : ground.drive;
          cpSync(isSite && packed ? compact : original(), directory, { recursive: true });
          const damage = all.map((change) => applyChange(ground, directory, change)).join('\n');
          const dir = isSite ? ground.out : plain;
          const texts = [await runStep('verify', () => auditSite(directory), damage)];
          for (const force of [false, true])
            texts.push(await runStep('usb', () => copyToUsb({ dir, to: ground.drive, force }), damage));
          if (isSite) texts.push(await runStep('build', () => buildInto(ground.out), damage));
          expect(ground.findTouched({ texts, directories: [ground.out, ground.drive] }), damage).toEqual([]);
        } finally {
          ground.remove();
        }
      });
      await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    },
    RUNS * MAX_STEP_MS,
  );
});

describe('a pack that would exhaust memory or time', () => {
  it.each(PACKS.map((create, number) => [number, create] as const))(
    'is reported as unreadable, in time (%i)',
    async (_, create) => {
      const ground = createTestGround();
      try {
        cpSync(compact, ground.out, { recursive: true });
        writeFileSync(join(ground.out, 'pages/x.js'), create());
        const start = processorTime();
        const audit = await auditSite(ground.out);
        expect(processorTime() - start).toBeLessThan(MAX_STEP_MS);
        expect(audit.altered).toContainEqual(expect.objectContaining({ what: 'pages/x.js', cause: 'packs that cannot be read' }));
        expect(audit.pages).toBeLessThan(100);
      } finally {
        ground.remove();
      }
    },
  );
});

/** Does the same as a build with its output directory. */
async function buildInto(out: string): Promise<unknown> {
  const lock = lockSite(out);
  try {
    const own = readSiteIdentity(plain);
    if (!own) throw new Error('the site has lost its identity');
    const note = assertSameArchive(own, lock.out);
    return [note, await publishSite(new Map(listFiles(plain).filter(([path]) => path !== 'manifest-sha256.txt')), lock.out)];
  } finally {
    lock.close();
  }
}
