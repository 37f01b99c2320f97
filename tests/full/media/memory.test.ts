/** The memory of derivatives of media files that need as much of it as files can. */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import type { BuildReport } from '../../../src/build/steps/build-report.ts';
import type { DerivativeProblems } from '../../../src/derivatives/problems.ts';
import { createTestDirectory, ROOT, runMicrofiche } from '../../support/commands.ts';
import { createHarvestedSnapshot, createSegment, createVideoBomb, fileHandler } from '../../support/file-server.ts';
import { createPdf } from '../../support/pdf.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

/** Returns the resident memory in bytes of a process and of all that it has started; 0 if it has ended. */
function measureProcesses(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    return children.reduce((total, child) => total + measureProcesses(child), own);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

/** Creates derivatives on a machine that has 2 GB of free memory, as far as the program knows. */
const PROGRAM = `
  process.availableMemory = () => 2_000_000_000;
  const [root, cacheDirectory, ...files] = process.argv.slice(1);
  const { createDerivatives } = await import(root + '/src/derivatives/image-derivatives.ts');
  const types = { jpg: 'image/jpeg', mp4: 'video/mp4', pdf: 'application/pdf' };
  const rows = files.map((file, n) => {
    const mimetype = types[file.split('.').at(-1)];
    return { url: file, owner: 'demo-org-1-' + n, kind: mimetype === 'image/jpeg' ? 'image' : 'original', file, sha256: String(n), mimetype };
  });
  const options = { cacheDirectory, format: 'webp', imagesByRecord: files.map((file) => [file]) };
  const { images, problems } = await createDerivatives(rows, options);
  console.log(JSON.stringify({ images: Object.keys(images), problems }));`;

it.skipIf(process.platform !== 'linux')(
  'all programs together need less than 2 GB for large images, pages, and videos of 256 megapixels',
  async () => {
    const directory = createTestDirectory();
    const scan = join(directory, '0.jpg');
    await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#593' } })
      .jpeg({ progressive: true })
      .toFile(scan);
    const video = await createVideoBomb(16_000);
    for (const n of [1, 2, 3, 4]) {
      copyFileSync(scan, join(directory, `${n}.jpg`));
      appendFileSync(join(directory, `${n}.jpg`), Buffer.alloc(n));
      writeFileSync(join(directory, `${n}.pdf`), createPdf(`Page ${n} of a deed`));
      writeFileSync(join(directory, `${n}.mp4`), video);
    }
    const files = readdirSync(directory).map((name) => join(directory, name));
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, ROOT, join(directory, 'cache'), ...files]);
    let [output, errors, peak] = ['', '', 0];
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const timer = setInterval(() => {
      peak = Math.max(peak, measureProcesses(child.pid as number));
    }, 20);
    await new Promise((resolve) => child.on('close', resolve));
    clearInterval(timer);
    expect(errors).toBe('');
    const { images, problems } = JSON.parse(output) as DerivativeProblems & { images: string[] };
    expect(images).toEqual(files.filter((file) => !file.endsWith('.mp4')).sort());
    expect(problems.map(({ cause }) => cause)).toEqual(Array(4).fill('the image exceeds the maximum of 200 million pixels'));
    expect(peak).toBeGreaterThan(100_000_000);
    expect(peak).toBeLessThan(2_000_000_000);
  },
);

/** Where the kernel limits the memory of groups of processes; undefined without the right to do so. */
function findMemoryGroups(): { parent: string; limit: string } | undefined {
  const versions = [
    { parent: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
    { parent: '/sys/fs/cgroup', limit: 'memory.max' },
  ];
  return versions.find(({ parent, limit }) => {
    const group = join(parent, 'microfiche-probe');
    try {
      mkdirSync(group);
    } catch {
      return false; // not the superuser, or a container whose groups are read-only
    }
    const isLimited = existsSync(join(group, limit));
    rmdirSync(group);
    return isLimited;
  });
}

const groups = findMemoryGroups();

it.runIf(groups)('a whole build, with its search index, ends in a group of processes that has 2 GB', async () => {
  const { parent, limit } = groups as NonNullable<typeof groups>;
  const group = join(parent, `microfiche-${process.pid}`);
  mkdirSync(group);
  onTestFinished(() => rmdirSync(group));
  writeFileSync(join(group, limit), '2000000000');
  const upstream = await startTestUpstream();
  const video = await createVideoBomb(16_000);
  const records = [1, 2].map((n) => {
    upstream.routes.set(`/${n}.mp4`, fileHandler({ bytes: video, type: 'video/mp4' }));
    return createSegment(`demo-org-1-1-${n}`, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/${n}.mp4` } });
  });
  const snapshot = await createHarvestedSnapshot(upstream, records);
  expect((await runMicrofiche(['media', '--snapshot', snapshot])).code).toBe(0);
  const out = join(createTestDirectory(), 'dist');
  const build = [join(ROOT, 'scripts/bin.mjs'), 'build', '--snapshot', snapshot, '--out', out, '--json'];
  const script = `echo $$ > ${join(group, 'cgroup.procs')}; exec "$@"`;
  const { stdout } = await execa('sh', ['-c', script, 'sh', process.execPath, ...build], { cwd: createTestDirectory() });
  const { problems, pages } = JSON.parse(stdout) as BuildReport;
  // both have the same bytes
  expect(problems.map(({ cause }) => cause)).toEqual(['the image exceeds the maximum of 200 million pixels']);
  expect(pages).toBeGreaterThan(2);
  expect(existsSync(join(out, 'search.html'))).toBe(true);
});
