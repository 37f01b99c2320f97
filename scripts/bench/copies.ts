/** The benchmark of copies: `sync` and an update of a site in which one record of a hundred has changed, against rsync. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { MANIFEST_FILE, readManifest } from '../../src/publish/manifest.ts';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatNumber, formatRatio, formatSeconds, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** The share of the bytes that are recordings: most of them, because thumbnails of images take long. */
const RECORDINGS = 0.98;

/** Runs the benchmark, with `mediaBytes` of media files. */
export const benchCopies = ({ records, mediaBytes, runs }: BenchSize & { mediaBytes: number }) =>
  withDirectory('copies', async (directory) => {
    const at = (name: string) => join(directory, name);
    const build = async () => {
      await setTimeout(SNAPSHOT_SETTLES_MS);
      await runBuild(at('snapshot'), at('site'), []);
    };
    generateSnapshot(at('snapshot'), records, true);
    await addMedia(at('snapshot'), mediaBytes, RECORDINGS);
    await build();
    await execa('cp', ['-a', at('site'), at('before')]);
    changeTitles(at('snapshot'), records, Math.ceil(records / 100), 1);
    await build();
    console.log(`
| ${formatNumber(records)} records, of which one in a hundred changed | bytes | seconds | seconds ÷ those of rsync |
| --- | ---: | ---: | ---: |
${(await measureCopies(at, runs)).join('\n')}

\`rsync\` syncs each file to the disk, as \`sync\` does.
`);
  });

/** Measures what makes a copy of the site in \`before\` that in \`site\`, in turn. Returns rows of a table. */
async function measureCopies(at: (name: string) => string, runs: number): Promise<string[]> {
  const sha256Before = new Map(readManifest(at('before')).map(({ path, sha256 }) => [path, sha256]));
  const changed = readManifest(at('site')).flatMap(({ path, sha256 }) => (sha256Before.get(path) === sha256 ? [] : [path]));
  const bytesOfChanged = [...changed, MANIFEST_FILE].reduce((total, path) => total + statSync(join(at('site'), path)).size, 0);
  const rsync = (...more: string[]) => [programFile('rsync'), '-a', '--delete', '--fsync', '--stats', ...more, `${at('copy')}/`];
  const microfiche = (...args: string[]) => [process.execPath, SCRIPT, ...args, '--json'];
  /** A command, and the bytes that it copies. */
  const steps: Record<string, readonly [command: string[], bytes: (output: string) => number]> = {
    '`rsync`': [rsync(`${at('site')}/`), (output) => Number(/sent: ([\d,]+)/.exec(output)?.[1]?.replaceAll(',', ''))],
    '`sync`': [microfiche('sync', at('site'), at('copy')), () => bytesOfChanged],
    '`rsync --only-write-batch --no-whole-file -z`': [
      rsync('--no-whole-file', '-z', `--only-write-batch=${at('batch')}`, `${at('site')}/`),
      () => statSync(at('batch')).size,
    ],
    '`export site --since`': [
      microfiche('export', 'site', '--dir', at('site'), '--to', at('update'), '--since', join(at('before'), MANIFEST_FILE)),
      () => sizeOf(at('update')).bytes,
    ],
    '`rsync --read-batch`': [rsync('-z', `--read-batch=${at('batch')}`), () => statSync(at('batch')).size],
    '`sync` of the update': [microfiche('sync', at('update'), at('copy')), () => sizeOf(at('update')).bytes],
  };
  const bytes = new Map<string, number>();
  const measure = async (title: string, [[command = '', ...args], count]: (typeof steps)[string]) => {
    await execa('rsync', ['-a', '--delete', `${at('before')}/`, at('copy')]);
    if (title.includes('export')) rmSync(at('update'), { recursive: true, force: true });
    const measured = await measureCommand(command, args);
    bytes.set(title, count(measured.output));
    return measured;
  };
  const measured = await measureAll(
    runs,
    Object.fromEntries(Object.entries(steps).map(([title, step]) => [title, () => measure(title, step)])),
  );
  const titles = Object.keys(steps);
  return titles.map((title, n) => {
    const [all, theirs] = [title, titles[n - (n % 2)] as string].map((one) => measured[one] ?? []) as [
      (typeof measured)[string],
      (typeof measured)[string],
    ];
    const ratio = n % 2 === 0 ? '' : formatRatio(secondsOf(all), secondsOf(theirs));
    return tableRow(title, formatNumber(bytes.get(title) ?? 0), formatSeconds(all), ratio);
  });
}
