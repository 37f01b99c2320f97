/** `microfiche merge`: makes a site of its shards. */
import { mergeShards } from '../../src/build/shards/merge.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount } from '../../src/platform/text-lines.ts';
import { signDirectory } from '../../src/publish/signature.ts';
import type { Flags } from '../options/options.ts';
import { createProgress } from '../progress.ts';

/** Runs the command `merge`. */
export async function mergeSite(shards: string[], flags: Flags<'merge'>) {
  const { out, snapshot, withholdLess, sign, json } = flags;
  using bar = createProgress('Shards', json);
  const report = await mergeShards({ out, shards, snapshot, withholdLess, onProgress: bar.update });
  if (sign !== undefined) await signDirectory('site', out, sign);
  const merged = `Merged ${formatCount(report.shards, 'shard')}. Site in ${out}: ${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}. Written: ${report.written}, deleted: ${report.removed}.`;
  return { report: { out, ...report }, lines: [...report.notes, merged] };
}
