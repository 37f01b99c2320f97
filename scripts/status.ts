/** `microfiche status`: what is in the snapshot, what is missing and why, when it was last harvested. */
import { Command } from 'commander';
import { failureLine } from '../src/harvest/report.ts';
import { formatBytes } from '../src/model/durations.ts';
import { counts, failures, lastRun, mediaRows, meta, queuedCount } from '../src/snapshot/read.ts';
import { openSnapshot } from '../src/snapshot/store.ts';
import { jsonOption, snapshotOption } from './options.ts';

export function statusCommand(): Command {
  return new Command('status')
    .description('Tells what is in the snapshot, what is missing and why, and when it was last harvested.')
    .addOption(snapshotOption())
    .addOption(jsonOption())
    .action((flags: { snapshot: string; json?: boolean }) => {
      const status = readStatus(flags.snapshot);
      if (flags.json) console.log(JSON.stringify(status));
      else for (const line of lines(status)) console.log(line);
    });
}

function readStatus(dir: string) {
  const store = openSnapshot(dir);
  try {
    const run = lastRun(store);
    const media = mediaRows(store);
    return {
      authorsUrl: meta(store, 'authors_url'),
      catalogUrl: meta(store, 'catalog_url'),
      startedAt: run?.started_at,
      finishedAt: run?.finished_at,
      counts: counts(store),
      queued: queuedCount(store),
      failures: failures(store),
      media: {
        stored: media.filter((row) => row.state === 'stored').length,
        failed: media.filter((row) => row.state === 'failed').length,
        bytes: media.reduce((sum, row) => sum + (row.size ?? 0), 0),
      },
    };
  } finally {
    store.close();
  }
}

function lines(status: ReturnType<typeof readStatus>): string[] {
  return [
    `Mirror of ${status.authorsUrl} and ${status.catalogUrl}`,
    status.finishedAt
      ? `Last harvest finished ${status.finishedAt}`
      : `The last harvest (begun ${status.startedAt}) was cut short; run it again to go on: ${status.queued} resources are waiting.`,
    ...Object.entries(status.counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`),
    `  ${String(status.media.stored).padStart(7)}  media files, ${formatBytes(status.media.bytes)}${status.media.failed > 0 ? `; ${status.media.failed} could not be had` : ''}`,
    ...(status.failures.length > 0
      ? [`${status.failures.length} resources could not be had:`, ...status.failures.map(failureLine)]
      : []),
  ];
}
