/** Errors that the operator can act on: one line, exit code 1 (2 for usage errors), and no change on disk. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import {
  type CommandResult,
  canMount,
  createTestDirectory,
  mountSmallDisk,
  ROOT,
  readFiles,
  runMicrofiche,
  SAMPLE,
  spawnMicrofiche,
  startServe,
  upstreamOptions,
} from '../support/commands.ts';
import { readStart } from '../support/search-index.ts';
import { type Handler, startTestUpstream } from '../support/test-upstream.ts';

function expectOneLine({ code, stdout, stderr }: CommandResult, message: RegExp): void {
  expect(stderr.trim()).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([code, stdout]).toEqual([1, '']);
}

const harvest = (url: string, snapshot: string, ...more: string[]) =>
  runMicrofiche(['harvest', ...upstreamOptions(url), '--snapshot', snapshot, '--timeout', '5', ...more]);

describe('harvest', () => {
  it('reports an unreachable host', async () => {
    const snapshot = join(createTestDirectory(), 'new');
    expectOneLine(
      await harvest('http://127.0.0.1:1', snapshot),
      /No response from http:\/\/127\.0\.0\.1:1\/.* \(connection refused\)\. Check --authors-url/,
    );
    expect(existsSync(snapshot)).toBe(false);
  });

  it('reports a wrong base URL', async () => {
    const { url, routes } = await startTestUpstream();
    routes.delete('/api/3.0/authors/');
    expectOneLine(await harvest(url, join(createTestDirectory(), 'new')), /returned HTTP 404\. Check --authors-url/);
    expectOneLine(
      await harvest('http://no-such-host.invalid', join(createTestDirectory(), 'new')),
      /No response from http:\/\/no-such-host\.invalid.*Check --authors-url/,
    );
  });

  it('reports a host that responds with HTML', async () => {
    const { url, routes } = await startTestUpstream();
    routes.set('/api/3.0/authors/', ((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')) satisfies Handler);
    expectOneLine(
      await harvest(url, join(createTestDirectory(), 'new')),
      /returned HTML instead of the authors list\. Check --authors-url/,
    );
  });

  it('says that it does not log in', async () => {
    const { url, routes } = await startTestUpstream();
    for (const [status, said] of [
      [401, 'HTTP 401. The archive asks for a password; Microfiche does not log in.'],
      [403, 'The archive may ask for a password; Microfiche does not log in.'],
      [400, 'If this port is for TLS, try https://.'],
    ] as const) {
      routes.set('/api/3.0/authors/', ((_, response) => response.writeHead(status).end()) satisfies Handler);
      const ran = await harvest(url, join(createTestDirectory(), 'new'), '--attempts', '1');
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(said)]);
    }
    const withPassword = url.replace('//', '//jane:secret@');
    for (const command of [['harvest'], ['update'], ['init', createTestDirectory(), '--title', 'x']]) {
      const ran = await runMicrofiche([...command, ...upstreamOptions(withPassword)]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/without a user name and password/)]);
    }
  });

  it('leaves an existing snapshot unchanged if the host is unreachable', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const before = readFiles(snapshot);
    expect((await harvest('http://127.0.0.1:1', snapshot, '--new-upstream')).code).toBe(1);
    expect(readFiles(snapshot)).toEqual(before);
  });

  it('exits with code 2 on a usage error, and says what is wrong', async () => {
    for (const args of [
      ['harvest'],
      ['harvest', '--authors-url', 'nonsense', '--catalog-url', 'http://x.example'],
      ['harvest', '--no-such-option'],
      ['no-such-command'],
      ['harvest', ...upstreamOptions('http://x'), '--concurrency', 'many'],
      ['harvest', ...upstreamOptions('http://x'), '--root', '../etc'],
      ['purge', '--yes', 'no id'],
    ]) {
      const { code, stderr } = await runMicrofiche(args);
      expect([args.join(' '), code]).toEqual([args.join(' '), 2]);
      expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('prints help for every command', async () => {
    for (const name of ['harvest', 'media', 'build', 'serve', 'verify', 'status', 'mirror']) {
      const { code, stdout } = await runMicrofiche([name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: microfiche');
    }
  });
});

describe('a snapshot', () => {
  it.each(['build', 'status', 'media', 'serve', 'verify'])('is required by %s', async (command) => {
    const missing = join(createTestDirectory(), 'nowhere');
    expectOneLine(
      await runMicrofiche([command, '--snapshot', missing]),
      /No snapshot found in .*nowhere\. First run "microfiche harvest"/,
    );
    expect(existsSync(missing)).toBe(false);
  });

  it('is not changed if its format version is newer', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.exec('PRAGMA user_version = 999');
    db.close();
    const before = readFiles(snapshot);
    for (const command of ['build', 'status', 'media', 'serve', 'verify'])
      expectOneLine(await runMicrofiche([command, '--snapshot', snapshot]), /written by a newer Microfiche .*Update Microfiche/);
    const server = await startServe(['--snapshot', SAMPLE]);
    try {
      expectOneLine(await harvest(server.url, snapshot), /written by a newer Microfiche/);
    } finally {
      await server.stop();
    }
    expect(readFiles(snapshot)).toEqual(before);
  });

  it('is rejected if it is not a database of Microfiche', async () => {
    const directory = createTestDirectory();
    writeFileSync(
      join(directory, 'snapshot.sqlite'),
      'this is a letter, not a database, and it is long enough to be read as one '.repeat(20),
    );
    expectOneLine(await runMicrofiche(['status', '--snapshot', directory]), /is not a snapshot/);
  });

  it('is locked while another harvest writes it', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
    mkdirSync(snapshot);
    const lock = new DatabaseSync(join(snapshot, 'lock.sqlite'));
    lock.exec('BEGIN EXCLUSIVE');
    const server = await startServe(['--snapshot', SAMPLE]);
    try {
      expectOneLine(await harvest(server.url, snapshot), /Another Microfiche process is writing to the snapshot/);
    } finally {
      lock.close();
      await server.stop();
    }
  });
});

describe('one line without a stack trace', () => {
  const mayMount = canMount();

  it.runIf(mayMount)('if the disk is read-only', async () => {
    const disk = mountSmallDisk(100_000);
    const snapshot = join(disk, 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    mkdirSync(join(disk, 'drive'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const server = await startServe(['--snapshot', SAMPLE]);
    try {
      expect((await runMicrofiche(['status', '--snapshot', snapshot])).code).toBe(0); // works without writing
      expectOneLine(
        await harvest(server.url, join(disk, 'new')),
        /The directory .*new cannot be created: its file system is read-only/,
      );
      expectOneLine(await harvest(server.url, snapshot, '--new-upstream'), /The snapshot is read-only/);
      expectOneLine(await runMicrofiche(['media', '--snapshot', snapshot]), /The snapshot is read-only/);
      expectOneLine(
        await runMicrofiche(['usb', '--dir', inject('mirror').dist, '--to', join(disk, 'drive')]),
        /The directory .*mirror cannot be created: its file system is read-only/,
      );
      expectOneLine(
        await runMicrofiche(['build', '--snapshot', snapshot, '--out', join(disk, 'dist')]),
        /The directory .*dist.* cannot be created: its file system is read-only/,
      );
    } finally {
      await server.stop();
    }
  });

  it('if a path names a file instead of a directory', async () => {
    const file = join(createTestDirectory(), 'README.md');
    writeFileSync(file, '# A file');
    const { snapshot, dist } = inject('mirror');
    for (const args of [
      ['status', '--snapshot', file],
      ['harvest', ...upstreamOptions('http://127.0.0.1:1'), '--snapshot', file],
      ['serve', '--snapshot', snapshot, '--dir', file],
      ['build', '--snapshot', snapshot, '--out', file],
    ])
      expectOneLine(await runMicrofiche(args), /README\.md is a file\. Choose a directory with --(?:snapshot|dir|out)/);
    expectOneLine(
      await runMicrofiche(['verify', '--dir', file]),
      /README\.md is not a package that Microfiche can read: not a directory, ZIP or TAR file\.$/,
    );
    expectOneLine(await runMicrofiche(['usb', '--dir', dist, '--to', file]), /The directory .*README\.md does not exist/);
    expectOneLine(
      await runMicrofiche(['build', '--snapshot', snapshot, '--out', join(file, 'dist')]),
      /: part of this path is a file/,
    );
  });

  it('if a snapshot has a format version from before the first release', async () => {
    const snapshot = join(createTestDirectory(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.exec('PRAGMA user_version = 1');
    db.close();
    const ran = await runMicrofiche(['status', '--snapshot', snapshot]);
    expectOneLine(
      ran,
      /has format version 1, from before the first release, which this Microfiche cannot read\. Harvest into a new directory\./,
    );
    expect(ran.stderr).not.toContain('disk');
  });

  it('if the machine does not have the IP address to listen on', async () => {
    expectOneLine(
      await runMicrofiche(['serve', '--snapshot', SAMPLE, '--host', '192.0.2.1']),
      /192\.0\.2\.1 is not an address of this/,
    );
  });

  it.each([process.execPath, '/usr/bin/node'].filter((node) => existsSync(node)))(
    'before "npm ci", with the Node in %s',
    async (node) => {
      const directory = createTestDirectory();
      for (const path of ['package.json', 'scripts', 'src']) cpSync(join(ROOT, path), join(directory, path), { recursive: true });
      const { scripts, engines } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      for (const name of ['start', 'mirror', 'microfiche']) {
        const args = scripts[name].split(' ').slice(1);
        const { status, stdout, stderr } = spawnSync(node, args, { cwd: directory, encoding: 'utf8' });
        expectOneLine({ code: status, stdout, stderr }, /First run "npm ci" in the project directory/);
      }
      expect(engines.node).toBe('>=20'); // What the launcher needs
    },
  );
});

it('options that exclude each other are a usage error', async () => {
  for (const args of [
    ['build', '--compact', '--site', 'https://x.example'],
    ['build', '--compact', '--compress', 'gz'],
    ['build', '--kiosk', '--compress', 'gz'],
    ['build', '--compress', 'gz,lzma'],
    ['media', '--head'],
    ['verify', '--dir', inject('mirror').dist, '--repair'],
    ['harvest', ...upstreamOptions('http://x'), '--retry-failed', '--full'],
  ]) {
    const { code, stderr } = await runMicrofiche(args);
    expect([args.join(' '), code, stderr.trim().split('\n')[0]?.length !== 0]).toEqual([args.join(' '), 2, true]);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
});

describe('build', () => {
  it('rejects a directory with other files', async () => {
    const out = createTestDirectory();
    writeFileSync(join(out, 'thesis.doc'), 'years of work');
    expectOneLine(
      await runMicrofiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out]),
      /is not empty and does not contain a site made by Microfiche/,
    );
    expect([...readFiles(out).keys()]).toEqual(['thesis.doc']);
  });

  it('says what to do if Pagefind is killed, in a thread too, and the next build completes the site', async () => {
    const directory = createTestDirectory();
    const build = ['build', '--snapshot', inject('mirror').small, '--out', join(directory, 'dist')];
    const env = { MICROFICHE_CACHE: join(directory, 'cache') };
    const killing = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(KILL_PAGEFIND)}` };
    const message =
      /^microfiche: Pagefind, which makes the search index, was stopped, probably because .* run the same command again\.$/;
    expectOneLine(await spawnMicrofiche(build, { env: killing }), message);
    const inThreads = { MICROFICHE_THREADS: '2', MICROFICHE_PART_DOCUMENTS: '20' };
    expectOneLine(await spawnMicrofiche(build, { env: { ...killing, ...inThreads } }), message);
    expect(await runMicrofiche(build, { env })).toMatchObject({ code: 0 });
    const { indexes, total } = readStart(readFiles(join(directory, 'dist')));
    expect([indexes.length, indexes[0]?.documents]).toEqual([1, total]);
    expect(total).toBeGreaterThan(20);
  });
});

/** Kills each process of Pagefind shortly after its start, as a system without memory does. */
const KILL_PAGEFIND = `
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('child_process', ({ process: started }) =>
    setImmediate(() => /pagefind/.test(started.spawnfile) && started.kill('SIGKILL')));`;

describe('a full disk', () => {
  const mayMount = canMount();

  it.runIf(mayMount)('stops a harvest before the disk is full; it resumes when disk space is available', async () => {
    const disk = mountSmallDisk(17_000); // of which 16 MiB stay free
    const server = await startServe(['--snapshot', SAMPLE]);
    try {
      const stopped = await harvest(server.url, disk);
      expect([stopped.code, stopped.stderr]).toEqual([1, '']);
      expect(stopped.stdout).toMatch(/^Harvest stopped after .* has no space left for more\. Run the same command to resume\./);
      execFileSync('mount', ['-o', 'remount,size=40m', disk]);
      const { code, stdout } = await harvest(server.url, disk, '--json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout).counts).toEqual(inject('mirror').harvest.counts);
    } finally {
      await server.stop();
    }
  });

  it.runIf(mayMount)('leaves the existing site unchanged', async () => {
    const disk = mountSmallDisk(30_000);
    const out = join(disk, 'dist');
    expect((await runMicrofiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out])).code).toBe(0);
    const before = readFiles(out);
    const { blocks, bfree, bsize } = statfsSync(disk);
    // space for a part of the changed site
    execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize + 500_000}`, disk]);
    const changed = join(createTestDirectory(), 'snapshot');
    cpSync(inject('mirror').snapshot, changed, { recursive: true });
    const db = new DatabaseSync(join(changed, 'snapshot.sqlite'));
    db.exec(`UPDATE response SET body = CAST(replace(CAST(body AS TEXT), 'Lantern', 'Beacon') AS BLOB), sha256 = 'x' || id`);
    db.close();
    expectOneLine(await runMicrofiche(['build', '--snapshot', changed, '--out', out]), /The disk is full/);
    expect(readFiles(out)).toEqual(before);
  });
});

it('ends quietly if the program that reads its output stops reading', () => {
  const command = `for i in 1 2 3 4 5; do node ${join(ROOT, 'scripts/bin.mjs')} build --help | true; done`;
  const { stderr, status } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

it.runIf(existsSync('/dev/full'))('says that its output cannot be written', () => {
  for (const args of ['status --help', `status --json --snapshot ${SAMPLE}`]) {
    const command = `node ${join(ROOT, 'scripts/bin.mjs')} ${args} > /dev/full`;
    const { stderr, status } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'microfiche: The output cannot be written: no space left on the device.\n']);
  }
});
