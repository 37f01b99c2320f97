/** A user's mistake, or a bad day, gets one clear sentence and exit 1; wrong use exits 2; what was there before is untouched. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import { canMount, filesBelow, microfiche, type Ran, ROOT, SAMPLE, serve, smallDisk, temporary, upstreamAt } from './support.ts';
import { type Handler, startUpstream } from './upstream.ts';

function expectOneSentence({ code, stdout, stderr }: Ran, words: RegExp): void {
  expect(stderr.trim()).toMatch(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([code, stdout]).toEqual([1, '']);
}

const harvest = (url: string, snapshot: string, ...more: string[]) =>
  microfiche(['harvest', ...upstreamAt(url), '--snapshot', snapshot, '--timeout', '5', ...more]);

describe('harvest', () => {
  it('from a server that is down', async () => {
    const snapshot = join(temporary(), 'new');
    expectOneSentence(
      await harvest('http://127.0.0.1:1', snapshot),
      /No answer from http:\/\/127\.0\.0\.1:1\/.* \(connection refused\): check --authors-url/,
    );
    expect(existsSync(snapshot)).toBe(false);
  });

  it('from a wrong address', async () => {
    const { url, answers } = await startUpstream();
    answers.delete('/api/3.0/authors/');
    expectOneSentence(await harvest(url, join(temporary(), 'new')), /answers with HTTP 404: check --authors-url/);
    expectOneSentence(
      await harvest('http://no-such-host.invalid', join(temporary(), 'new')),
      /No answer from http:\/\/no-such-host\.invalid.*check --authors-url/,
    );
  });

  it('from a server that answers with a web page', async () => {
    const { url, answers } = await startUpstream();
    answers.set('/api/3.0/authors/', ((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')) satisfies Handler);
    expectOneSentence(
      await harvest(url, join(temporary(), 'new')),
      /answers with a web page instead of the authors list: check --authors-url/,
    );
  });

  it('leaves an older snapshot untouched when the server is down', async () => {
    const snapshot = join(temporary(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const before = filesBelow(snapshot);
    expect((await harvest('http://127.0.0.1:1', snapshot, '--new-upstream')).code).toBe(1);
    expect(filesBelow(snapshot)).toEqual(before);
  });

  it('with wrong use exits 2', async () => {
    for (const args of [
      ['harvest'],
      ['harvest', '--authors-url', 'nonsense', '--catalog-url', 'http://x.example'],
      ['harvest', '--no-such-option'],
      ['no-such-command'],
      ['harvest', ...upstreamAt('http://x'), '--concurrency', 'many'],
      ['harvest', ...upstreamAt('http://x'), '--root', '../etc'],
    ]) {
      const { code, stderr } = await microfiche(args);
      expect([args.join(' '), code]).toEqual([args.join(' '), 2]);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('has help for every command', async () => {
    for (const name of ['harvest', 'media', 'build', 'serve', 'verify', 'status', 'mirror']) {
      const { code, stdout } = await microfiche([name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: microfiche');
    }
  });
});

describe('a snapshot', () => {
  it.each(['build', 'status', 'media', 'serve', 'verify'])('that is missing stops %s', async (command) => {
    const nowhere = join(temporary(), 'nowhere');
    expectOneSentence(
      await microfiche([command, '--snapshot', nowhere]),
      /There is no snapshot in .*nowhere: run “microfiche harvest” first/,
    );
    expect(existsSync(nowhere)).toBe(false);
  });

  it('of a newer version is left alone', async () => {
    const snapshot = join(temporary(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.exec('PRAGMA user_version = 999');
    db.close();
    const before = filesBelow(snapshot);
    for (const command of ['build', 'status', 'media', 'serve', 'verify'])
      expectOneSentence(await microfiche([command, '--snapshot', snapshot]), /written by a newer Microfiche .*update Microfiche/);
    const server = await serve(['--snapshot', SAMPLE]);
    try {
      expectOneSentence(await harvest(server.url, snapshot), /written by a newer Microfiche/);
    } finally {
      await server.stop();
    }
    expect(filesBelow(snapshot)).toEqual(before);
  });

  it('that is no database, or another one', async () => {
    const folder = temporary();
    writeFileSync(
      join(folder, 'snapshot.sqlite'),
      'this is a letter, not a database, and it is long enough to be read as one '.repeat(20),
    );
    expectOneSentence(await microfiche(['status', '--snapshot', folder]), /is not a snapshot/);
  });

  it('that another harvest is writing', async () => {
    const snapshot = join(temporary(), 'snapshot');
    mkdirSync(snapshot);
    const lock = new DatabaseSync(join(snapshot, 'lock.sqlite'));
    lock.exec('BEGIN EXCLUSIVE');
    const server = await serve(['--snapshot', SAMPLE]);
    try {
      expectOneSentence(await harvest(server.url, snapshot), /Another Microfiche is writing to the snapshot/);
    } finally {
      lock.close();
      await server.stop();
    }
  });
});

describe('D40: no stack trace', () => {
  const mayMount = process.getuid?.() === 0 && canMount();

  it.runIf(mayMount)('where the disk can only be read', async () => {
    const disk = smallDisk(20_000);
    const snapshot = join(disk, 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    mkdirSync(join(disk, 'stick'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const server = await serve(['--snapshot', SAMPLE]);
    try {
      expect((await microfiche(['status', '--snapshot', snapshot])).code).toBe(0); // reading needs no more
      expectOneSentence(
        await harvest(server.url, join(disk, 'new')),
        /The directory .*new cannot be created: its file system is read-only/,
      );
      expectOneSentence(await harvest(server.url, snapshot, '--new-upstream'), /The snapshot is read-only/);
      expectOneSentence(await microfiche(['media', '--snapshot', snapshot]), /The snapshot is read-only/);
      expectOneSentence(
        await microfiche(['usb', '--dir', inject('mirror').dist, '--to', join(disk, 'stick')]),
        /The directory .*mirror cannot be created: its file system is read-only/,
      );
      expectOneSentence(
        await microfiche(['build', '--snapshot', snapshot, '--out', join(disk, 'dist')]),
        /The folder .*dist.* cannot be made: its disk can only be read/,
      );
    } finally {
      await server.stop();
    }
  });

  it('where a file stands for a folder', async () => {
    const file = join(temporary(), 'README.md');
    writeFileSync(file, '# A file');
    const { snapshot, dist } = inject('mirror');
    for (const args of [
      ['status', '--snapshot', file],
      ['harvest', ...upstreamAt('http://127.0.0.1:1'), '--snapshot', file],
      ['verify', '--dir', file],
      ['serve', '--snapshot', snapshot, '--dir', file],
      ['build', '--snapshot', snapshot, '--out', file],
    ])
      expectOneSentence(await microfiche(args), /README\.md is a file, and --(?:snapshot|dir|out) names a folder/);
    expectOneSentence(await microfiche(['usb', '--dir', dist, '--to', file]), /There is no folder .*README\.md/);
    expectOneSentence(
      await microfiche(['build', '--snapshot', snapshot, '--out', join(file, 'dist')]),
      /: part of this path is a file/,
    );
  });

  it('where a snapshot’s version and its tables do not agree', async () => {
    const snapshot = join(temporary(), 'snapshot');
    cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.exec('PRAGMA user_version = 1');
    db.close();
    const ran = await microfiche(['status', '--snapshot', snapshot]);
    expectOneSentence(ran, /says that it has format 1, but its tables are of another one/);
    expect(ran.stderr).not.toContain('disk');
  });

  it('where the address to listen on is none of this machine’s', async () => {
    expectOneSentence(
      await microfiche(['serve', '--snapshot', SAMPLE, '--host', '192.0.2.1']),
      /192\.0\.2\.1 is not an address of this/,
    );
  });

  it.each([process.execPath, '/usr/bin/node'].filter((node) => existsSync(node)))(
    'before “npm ci”, on the Node in %s',
    async (node) => {
      const folder = temporary();
      for (const path of ['package.json', 'scripts', 'src']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
      const { scripts, engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      for (const name of ['start', 'mirror', 'microfiche']) {
        const args = scripts[name].split(' ').slice(1);
        const { status, stdout, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
        expectOneSentence({ code: status, stdout, stderr }, /run “npm ci” in the project folder first/);
      }
      expect(engines.node).toBe('>=20'); // D23: the launcher’s own
    },
  );
});

it('D22: flags that contradict each other are wrong use', async () => {
  for (const args of [
    ['build', '--compact', '--site', 'https://x.example'],
    ['build', '--compact', '--no-packs'],
    ['build', '--only-packs', '--no-packs'],
    ['media', '--head'],
    ['verify', '--dir', inject('mirror').dist, '--repair'],
    ['harvest', ...upstreamAt('http://x'), '--retry-failed', '--full'],
  ]) {
    const { code, stderr } = await microfiche(args);
    expect([args.join(' '), code, stderr.trim().split('\n')[0]?.length !== 0]).toEqual([args.join(' '), 2, true]);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
});

describe('build', () => {
  it('refuses a folder that is not its own', async () => {
    const out = temporary();
    writeFileSync(join(out, 'thesis.doc'), 'years of work');
    expectOneSentence(
      await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out]),
      /is not empty and holds no site made by Microfiche/,
    );
    expect([...filesBelow(out).keys()]).toEqual(['thesis.doc']);
  });
});

describe('a full disk', () => {
  const mayMount = process.getuid?.() === 0 && canMount();

  it.runIf(mayMount)('ends a harvest, which goes on when there is room', async () => {
    const disk = smallDisk(700);
    const server = await serve(['--snapshot', SAMPLE]);
    try {
      expectOneSentence(await harvest(server.url, disk), /The disk is full\. Free some disk space/);
      execFileSync('mount', ['-o', 'remount,size=20m', disk]);
      const { code, stdout } = await harvest(server.url, disk, '--json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout).counts).toEqual(inject('mirror').harvest.counts);
    } finally {
      await server.stop();
    }
  });

  it.runIf(mayMount)('leaves the site of before untouched', async () => {
    const disk = smallDisk(30_000);
    const out = join(disk, 'dist');
    expect((await microfiche(['build', '--snapshot', inject('mirror').snapshot, '--out', out])).code).toBe(0);
    const before = filesBelow(out);
    const { blocks, bfree, bsize } = statfsSync(disk);
    execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize + 500_000}`, disk]); // room for a part of the changed site
    const changed = join(temporary(), 'snapshot');
    cpSync(inject('mirror').snapshot, changed, { recursive: true });
    const db = new DatabaseSync(join(changed, 'snapshot.sqlite'));
    db.exec(`UPDATE response SET body = CAST(replace(CAST(body AS TEXT), 'Lantern', 'Beacon') AS BLOB), sha256 = 'x' || id`);
    db.close();
    expectOneSentence(await microfiche(['build', '--snapshot', changed, '--out', out]), /The disk is full/);
    expect(filesBelow(out)).toEqual(before);
  });
});
