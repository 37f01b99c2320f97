/** `media --derivatives web`: recordings that browsers do not play are kept, and played from a file that ffmpeg makes. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import type { Estimate } from '../../../src/media/estimate.ts';
import { createSharedDirectory, readFiles, runMicroficheJson } from '../../support/commands.ts';
import { buildSnapshot, createHarvestedSnapshot, createSegment, fileHandler, runMedia } from '../../support/file-server.ts';
import { startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const shared = createSharedDirectory();
/** Films of old cameras, with pixels that are not square; sound as a studio keeps it; and a recording that plays. */
const MADE = {
  'film.avi': ['-f', 'lavfi', '-i', 'testsrc=size=180x144:rate=10:duration=1', '-vf', 'setsar=16/15', '-c:v', 'mpeg4'],
  'broken.avi': ['-f', 'lavfi', '-i', 'testsrc=size=16x16:rate=10:duration=1', '-c:v', 'mpeg4'],
  'tape.aif': ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'pcm_s16be'],
  'plays.mp3': ['-f', 'lavfi', '-i', 'sine=duration=1'],
};
let upstream: TestUpstream;
let snapshot: string;

beforeAll(async () => {
  upstream = await startTestUpstream({ shared: true });
  const records = Object.entries(MADE).map(([name, args], n) => {
    const file = join(shared.path, name);
    execFileSync(programFile('ffmpeg'), ['-v', 'error', ...args, file]);
    const bytes = readFileSync(file);
    if (name === 'broken.avi') bytes.fill(0, 200);
    upstream.routes.set(`/${name}`, fileHandler({ bytes, supportsRanges: true }));
    const type = name.endsWith('.mp3') ? { mimetype: 'audio/mpeg' } : { source: 'original' };
    return createSegment(`demo-org-1-${n + 1}-1`, {
      [name]: { name, url: `${upstream.url}/${name}`, length: '1.0', ...type },
    });
  });
  snapshot = await createHarvestedSnapshot(upstream, records, join(shared.path, 'snapshot'));
});
afterAll(() => upstream.close());

/** Returns what ffprobe says of the first stream of a kind. */
const probe = (file: string, stream: string, entries: string) =>
  execFileSync(
    'ffprobe',
    ['-v', 'error', '-select_streams', stream, '-show_entries', `stream=${entries}`, '-of', 'csv=p=0', file],
    {
      encoding: 'utf8',
    },
  ).trim();

describe('media --derivatives web', () => {
  it('estimates what it would make, and without it makes nothing', async () => {
    const estimate = await runMedia<Estimate>(snapshot, '--dry-run', '--derivatives', 'web');
    expect(estimate).toMatchObject({ files: 4, derivatives: { files: 3, bytes: 750_000, unknown: 0 } });
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1 });
    expect(readdirSync(snapshot)).not.toContain('derivatives');
  });

  it('makes a file of each recording that does not play, once, and reports what cannot be read', async () => {
    const report = await runMedia(snapshot, '--derivatives', 'web');
    expect(report).toMatchObject({ fetched: 3, derivatives: { made: 2, present: 0 } });
    expect(report.derivatives?.failures).toMatchObject([{ url: `${upstream.url}/broken.avi` }]);
    const names = readdirSync(join(snapshot, 'derivatives')).sort();
    expect(names.map((name) => name.replace(/^[0-9a-f]{64}-[0-9a-f]{64}/, '')).sort()).toEqual(['.m4a', '.mp4']);
    const film = join(snapshot, 'derivatives', names.find((name) => name.endsWith('.mp4')) as string);
    expect(probe(film, 'v:0', 'codec_name,width,height,pix_fmt')).toBe('h264,192,144,yuv420p');
    expect(await runMedia(snapshot, '--derivatives', 'web')).toMatchObject({ fetched: 0, derivatives: { made: 0, present: 2 } });
    expect(await runMicroficheJson(['verify', '--snapshot', snapshot])).toMatchObject({ ok: true });
  });

  it('gives pages something to play, beside the recording as it was received', async () => {
    const { out, report } = await buildSnapshot(snapshot);
    expect(report.problems.map(({ owner }) => owner)).toEqual(['demo-org-1-2-1']);
    const page = (n: number) => readFileSync(join(out, `objects/demo-org-1-${n}-1.html`), 'utf8');
    expect(page(1)).toMatch(/<video[^>]* src="[^"]+\.web\.mp4"|<source src="[^"]+\.web\.mp4"/);
    expect(page(1)).toContain('.original.avi"');
    expect(page(3)).toMatch(/<audio[^>]* src="[^"]+\.web\.m4a"|<source src="[^"]+\.web\.m4a"/);
    expect(page(3)).toContain('class="wave"');
    expect(page(2)).not.toContain('<video');
    const again = await buildSnapshot(snapshot, '--clean');
    expect([...readFiles(again.out).keys()]).toEqual([...readFiles(out).keys()]);
  });

  it('loses it with the recording', async () => {
    await runMicroficheJson(['purge', 'demo-org-1-1-1', '--snapshot', snapshot, '--yes'], { cwd: shared.path });
    expect(readdirSync(join(snapshot, 'derivatives')).map((name) => name.slice(-4))).toEqual(['.m4a']);
  });
});
