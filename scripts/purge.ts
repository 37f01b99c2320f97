/** `microfiche purge`: takes records out of a snapshot for good. */
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { type Purged, type PurgePlan, planPurge, purge } from '../src/catalogue/purge.ts';
import { UsageError, UserError } from '../src/model/errors.ts';
import { cacheRoot, forgetFiles } from '../src/pipeline/caches.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { counted, printable } from '../src/platform/lines.ts';
import { createSnapshot, openSnapshot } from '../src/snapshot/store.ts';
import { jsonOption, objectIds, snapshotOption } from './options.ts';

interface Flags {
  snapshot: string;
  reason: string;
  yes?: boolean;
  json?: boolean;
}

export function purgeCommand(): Command {
  return new Command('purge')
    .description(
      `Takes records out of a snapshot for good: bodies, old versions and media files, with everything below them, and their entries in stored
lists. What remains is a line that they were withdrawn, when and why, so that no later harvest brings them back.
To leave something out of the site and keep it in the snapshot, list it under “withhold” in microfiche.config.json instead.`,
    )
    .argument('<ids...>', 'IDs of records or collections')
    .addOption(snapshotOption())
    .option('--reason <text>', 'why, to be kept in the snapshot', 'withdrawn')
    .option('--yes', 'do not ask')
    .addOption(jsonOption())
    .action(async (typed: string[], flags: Flags) => {
      const ids = typed.flatMap((one) => objectIds(one, undefined));
      if (!flags.yes && !process.stdin.isTTY)
        throw new UsageError('Purging cannot be undone: add --yes to do it without being asked.');
      openSnapshot(flags.snapshot).close(); // never makes a snapshot where there is none
      const store = createSnapshot(flags.snapshot);
      try {
        const plan = planPurge(store, ids);
        if (!flags.yes) await askTwice(ids, plan);
        const purged = purge(store, plan, { reason: printable(flags.reason), now: new Date().toISOString() });
        forgetFiles(cacheRoot(), purged.sha256);
        const { sharedFiles, mentioned } = plan;
        if (flags.json) console.log(JSON.stringify({ ids, ...purged, sharedFiles, mentioned }));
        else for (const line of lines(ids, purged, plan)) console.log(line);
      } finally {
        store.close();
      }
    });
}

/** Asks for the first ID, and then once more. @throws UserError where either answer is another one */
async function askTwice(ids: readonly string[], { records, media }: PurgePlan): Promise<void> {
  const [first = ''] = ids;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const size = formatBytes(media.reduce((sum, row) => sum + (row.size ?? 0), 0));
    const what = `${counted(records.length, 'record')} with ${counted(media.length, 'media file')} (${size})`;
    const typed = await prompt.question(`This takes ${what} out of the snapshot for good. Type ${first} to go on: `);
    if (typed.trim() !== first) throw new UserError('Nothing was purged.');
    const sure = await prompt.question('It cannot be undone. Type yes to purge: ');
    if (sure.trim().toLowerCase() !== 'yes') throw new UserError('Nothing was purged.');
  } finally {
    prompt.close();
  }
}

function lines(ids: readonly string[], purged: Purged, { sharedFiles, mentioned }: PurgePlan): string[] {
  const { records, bodies, files, bytes, lists } = purged;
  return [
    `Purged ${ids.join(', ')}: ${counted(records, 'record')}, ${counted(bodies, 'body', 'bodies')}, ${counted(files, 'file')} (${formatBytes(bytes)}), and entries in ${counted(lists, 'list')}.`,
    'No later harvest of this snapshot brings them back.',
    ...(sharedFiles > 0 ? [`${counted(sharedFiles, 'file stays', 'files stay')}, since another record has the same bytes.`] : []),
    ...(mentioned.length > 0
      ? [
          `${counted(mentioned.length, 'guide page or author names', 'guide pages or authors name')} them and stay as they are: ${mentioned
            .slice(0, 10)
            .map((name) => printable(name, 80))
            .join(', ')}.`,
        ]
      : []),
    'Build every site of this snapshot again, and copy it to its hosts and USB drives again. Copies in other hands are not reached.',
  ];
}
