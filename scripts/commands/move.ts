/** `microfiche move`: changes the URLs in a snapshot after its archive has moved. */
import { formatCount } from '../../src/platform/text-lines.ts';
import { finishDeletions } from '../../src/snapshot/deletions.ts';
import { moveSnapshot, planMove } from '../../src/snapshot/move.ts';
import { writeNamedHosts } from '../../src/snapshot/named-hosts.ts';
import { createSnapshot, openSnapshot } from '../../src/snapshot/store.ts';
import type { Flags } from '../options/options.ts';

/** Runs the command `move`. */
export function moveArchive(from: string, to: string, { snapshot }: Flags<'move'>) {
  openSnapshot(snapshot).close(); // never create one
  using store = createSnapshot(snapshot);
  const plan = planMove(store, { from, to });
  writeNamedHosts(store, [new URL(to).host]);
  const moved = moveSnapshot(store, plan, new Date().toISOString());
  const problems = finishDeletions(store);
  const { authorsUrl, catalogUrl, bodies, media } = moved;
  const lines = [
    `Moved ${snapshot} from ${plan.from} to ${to}: URLs in ${formatCount(bodies, 'response body', 'response bodies')}, and of ${formatCount(media, 'media file')}.`,
    `From now on, harvest with --authors-url ${authorsUrl} --catalog-url ${catalogUrl}; change microfiche.config.json too.`,
    'Build the site again. Nothing needs to be downloaded again.',
    ...problems,
  ];
  return { report: { snapshot, ...moved, problems }, lines };
}
