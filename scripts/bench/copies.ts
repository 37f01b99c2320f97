/** The benchmark of copies: `sync` and an update of a site in which one record of a hundred has changed, against rsync. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { MANIFEST_FILE, readManifest } from '../../src/publish/manifest.ts';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatNumber, formatSeconds, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** The share of the bytes that are recordings: most of them, because thumbnails of images take long. */
const RECORDINGS = 0.98;

/** Runs the benchmark, with `mediaMb` megabytes of media files. */
export const benchCopies = ({ records, mediaMb, runs, dir }: BenchSize & { mediaMb: number }) =>
  withDirectory('copies', dir, async (directory) => {
    const at = (name: string) => join(directory, name);
    const build = async () => {
      await setTimeout(SNAPSHOT_SETTLES_MS);
      await runBuild(at('snapshot'), at('site'), []);
    };
    generateSnapshot(at('snapshot'), records, true);
    await addMedia(at('snapshot'), mediaMb * 1e6, RECORDINGS);
    await build();
    await execa('cp', ['-a', at('site'), at('before')]);
    changeTitles(at('snapshot'), records, Math.ceil(records / 100), 1);
    await build();
    console.log(await measureCopies(at, runs));
  });

/** Measures what makes a copy of the site in `before` that in `site`, in turn. Returns a table. */
async function measureCopies(at: (name: string) => string, runs: number): Promise<string> {
  const before = new Map(readManifest(at('before')).map(({ path, sha256 }) => [path, sha256]));
  const changed = readManifest(at('site')).filter(({ path, sha256 }) => before.get(path) !== sha256);
  const ofChanged = [MANIFEST_FILE, ...changed.map(({ path }) => path)].map((path) => statSync(join(at('site'), path)).size);
  // It syncs each file to the disk, as `sync` does.
  const rsync = (...args: string[]) =>
    measureCommand(programFile('rsync'), ['-a', '--delete', '--fsync', '--stats', ...args, `${at('copy')}/`]);
  const microfiche = (...args: string[]) => measureCommand(process.execPath, [SCRIPT, ...args, '--json']);
  const delta = ['--no-whole-file', '-z', `--only-write-batch=${at('batch')}`];
  const since = join(at('before'), MANIFEST_FILE);
  const bytes: Record<string, number> = {};
  const measured = await measureAll(runs, {
    async rsync() {
      await execa('rsync', ['-a', '--delete', `${at('before')}/`, at('copy')]);
      const one = await rsync(`${at('site')}/`);
      bytes['rsync'] = Number(/bytes sent: ([\d,]+)/.exec(one.output)?.[1]?.replaceAll(',', ''));
      return one;
    },
    async sync() {
      await execa('rsync', ['-a', '--delete', `${at('before')}/`, at('copy')]);
      bytes['sync'] = ofChanged.reduce((total, size) => total + size, 0);
      return await microfiche('sync', at('site'), at('copy'));
    },
    async 'rsync, delta'() {
      await execa('rsync', ['-a', '--delete', `${at('before')}/`, at('copy')]);
      const one = await rsync(...delta, `${at('site')}/`);
      bytes['rsync, delta'] = statSync(at('batch')).size;
      return one;
    },
    async 'export site --since'() {
      rmSync(at('update'), { recursive: true, force: true });
      const one = await microfiche('export', 'site', '--dir', at('site'), '--to', at('update'), '--since', since);
      bytes['export site --since'] = sizeOf(at('update')).bytes;
      return one;
    },
    'rsync, delta applied': () => rsync('-z', `--read-batch=${at('batch')}`),
    async 'sync of the update'() {
      await execa('rsync', ['-a', '--delete', `${at('before')}/`, at('copy')]);
      return await microfiche('sync', at('update'), at('copy'));
    },
  });
  const rows = Object.entries(measured).map(([title, all]) =>
    tableRow(title, formatNumber(bytes[title] ?? 0), formatSeconds(all)),
  );
  return ['| | bytes | seconds |', '| --- | ---: | ---: |', ...rows].join('\n');
}
