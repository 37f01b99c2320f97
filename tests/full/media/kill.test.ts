/** Kills `media` at random: files with final names are always complete, and the result equals an undisturbed run's. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTestDirectory, LONG, ROOT, readFiles, runMicrofiche } from '../../support/commands.ts';
import {
  computeChecksums,
  createFakeVideo,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { type Handler, startTestUpstream } from '../../support/test-upstream.ts';

const KILLS = LONG ? 25 : 4;
/** Time between the start and the kill. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [150, 900];

it(`ends equal to an undisturbed run after ${KILLS} kills at random moments`, async () => {
  const upstream = await startTestUpstream();
  const wanted = new Map<string, Buffer>();
  const records: Array<Record<string, unknown>> = [];
  /** Sends a response in small pieces, so that a kill interrupts it. */
  const slowly =
    (handler: Handler): Handler =>
    (request, response) => {
      const write = response.end.bind(response);
      response.end = ((body?: Buffer) => {
        const pieces = Array.from({ length: Math.ceil((body?.length ?? 0) / 150_000) }, (_, i) =>
          body?.subarray(i * 150_000, (i + 1) * 150_000),
        );
        const next = (): void => {
          const piece = pieces.shift();
          if (!piece) write();
          else if (!response.destroyed) response.write(piece, () => setTimeout(next, 90));
        };
        next();
        return response;
      }) as typeof response.end;
      handler(request, response);
    };
  for (let n = 1; n <= 12; n++) {
    const bytes = createFakeVideo(400_000 + n * 150_000);
    wanted.set(`/v${n}.mp4`, bytes);
    upstream.routes.set(`/v${n}.mp4`, slowly(fileHandler({ bytes, etag: `"${n}"`, supportsRanges: n % 3 > 0 })));
    const file = {
      mimetype: 'video/mp4',
      url: `${upstream.url}/v${n}.mp4`,
      ...computeChecksums(bytes),
      size: String(bytes.length),
    };
    records.push(createSegment(`demo-org-1-1-${n}`, { mp4: file }));
  }
  const same = await createImage(80, 60, '#333');
  for (let n = 1; n <= 30; n++) {
    const bytes = n % 3 === 0 ? same : await createImage(50 + n, 40, '#456');
    wanted.set(`/p${n}.jpg`, bytes);
    upstream.routes.set(`/p${n}.jpg`, fileHandler({ bytes }));
    records.push(createRecordWithImage(`demo-org-2-${n}`, `${upstream.url}/p${n}.jpg`));
  }
  const wrong = createFakeVideo(5000);
  upstream.routes.set('/wrong.mp4', fileHandler({ bytes: wrong }));
  records.push(createFileRecord('demo-org-2-1-master-0123456789', `${upstream.url}/wrong.mp4`, { size: 5001 }));
  const kinds = ['--kinds', 'image,video,original'];

  const disturbed = await createHarvestedSnapshot(upstream, records);
  const undisturbed = join(createTestDirectory(), 'undisturbed');
  cpSync(disturbed, undisturbed, { recursive: true });
  await runMedia(undisturbed, ...kinds, '--allow-host', new URL(upstream.url).host);
  const checksums = new Set([...wanted.values(), wrong].map((bytes) => computeChecksums(bytes).sha256));

  let seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  console.log(`SEED=${seed}`);
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  let killed = 0;
  for (let n = 0; n < KILLS; n++) {
    if (
      await runAndKillAfter(['media', '--snapshot', disturbed, ...kinds], MIN_DELAY_MS + random() * (MAX_DELAY_MS - MIN_DELAY_MS))
    )
      killed++;
    for (const directory of ['media', 'quarantine']) {
      for (const [path, bytes] of readFiles(join(disturbed, directory)))
        if (!path.endsWith('.part')) expect(checksums, `${path} after kill ${n + 1}`).toContain(computeChecksums(bytes).sha256);
    }
  }
  console.log(`${killed} of ${KILLS} kills`);
  expect(killed).toBeGreaterThan(KILLS / 5); // otherwise most runs ended before they were killed
  await runMedia(disturbed, ...kinds);
  expect(readState(disturbed)).toEqual(readState(undisturbed));
  expect((await runMicrofiche(['verify', '--snapshot', disturbed])).code).toBe(0);
});

/** Runs a command and kills it after a delay. Returns false if it ended before. */
async function runAndKillAfter(args: string[], milliseconds: number): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/bin.mjs'), ...args], { cwd: ROOT, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
  await Promise.race([sleep(milliseconds), ended]);
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

/** Returns the checksums of all files, and all rows without their times. */
function readState(snapshot: string): unknown {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  try {
    const rows = db
      .prepare(
        'SELECT url, owner, kind, state, path, sha256, size, mimetype, cause, verified FROM media LEFT JOIN blob USING (path) ORDER BY url',
      )
      .all();
    const uses = db.prepare('SELECT * FROM usage').all();
    const left = ['download', 'orphan_file'].map((table) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get());
    const files = ['media', 'quarantine'].map((directory) =>
      [...readFiles(join(snapshot, directory))].map(([path, bytes]) => [path, computeChecksums(bytes).sha256]),
    );
    return { rows, uses, left, files };
  } finally {
    db.close();
  }
}
