/** The benchmark of copies: `sync` and an update of a site of which one record in a hundred has changed, against rsync. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatMemory, formatNumber, formatRatio, formatSeconds, printStep, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** The share of the bytes of media files that are recordings: most, because thumbnails of images take long. */
const RECORDINGS = 0.98;

/** Runs the benchmark, with `mediaBytes` of media files. */
export const benchCopies = ({ records, mediaBytes, runs }: BenchSize & { mediaBytes: number }) =>
  withDirectory('copies', async (directory) => {
    const path = (name: string) => join(directory, name);
    const [snapshot, site, before, copy] = [path('snapshot'), path('site'), path('before'), path('copy')];
    printStep(`generating ${records} records and their media`);
    generateSnapshot(snapshot, records, true);
    const files = await addMedia(snapshot, mediaBytes, RECORDINGS);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    await runBuild(snapshot, site, []);
    await execa('cp', ['-a', site, before]);
    changeTitles(snapshot, records, records / 100, 1);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    await runBuild(snapshot, site, []);
    await measureCopies({ site, before, copy, update: path('update'), batch: path('batch') }, runs, `${formatNumber(records)} records, ${files} media files`);
  });

/** Measures what makes a copy of the site `before` one of `site`, in turn, and prints a table. */
export async function measureCopies(paths: Record<'site' | 'before' | 'copy' | 'update' | 'batch', string>, runs: number, what: string): Promise<void> {
  const { site, before, copy, update, batch } = paths;
  const rsync = (from: string, to: string, ...options: string[]) =>
    measureCommand(programFile('rsync'), ['-a', '--delete', '--stats', ...options, `${from}/`, `${to}/`]);
  const microfiche = (...args: string[]) => measureCommand(process.execPath, [SCRIPT, ...args, '--json']);
  const sent = (output: string) => Number(/^Total bytes sent: (.*)$/m.exec(output)?.[1]?.replaceAll(',', ''));
  const bytes = new Map<string, number>();
  const things = {
    'rsync': async () => { const r = await rsync(site, copy); return {r, b: sent(r.output)}; },
    'rsync fsync': async () => { const r = await rsync(site, copy, '--fsync'); return {r, b: sent(r.output)}; },
    'sync': async () => { const r = await microfiche('sync', site, copy); return {r, b: 0}; },
    'rsync delta': async () => { const r = await rsync(site, copy, '--no-whole-file'); return {r, b: sent(r.output)}; },
    'rsync delta -z': async () => { const r = await rsync(site, copy, '--no-whole-file', '-z'); return {r, b: sent(r.output)}; },
    'rsync batch': async () => { const r = await rsync(site, copy, '--only-write-batch', batch); return {r, b: statSync(batch).size}; },
    'rsync batch z': async () => { const r = await rsync(site, copy, '--no-whole-file', '-z', `--only-write-batch=${batch}`); return {r, b: statSync(batch).size}; },
    'export': async () => { rmSync(update, {recursive:true,force:true}); const r = await microfiche('export', 'site', '--dir', site, '--to', update, '--since', join(before, 'manifest-sha256.txt')); return {r, b: sizeOf(update).bytes}; },
    'sync update': async () => { const r = await microfiche('sync', update, copy); return {r, b: 0}; },
  };
}
