/** `microfiche verify`: fixity of the snapshot, and the soundness of the built site. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Manners } from '../src/media/acquisition/fetch.ts';
import { type Repairs, repairSnapshot } from '../src/media/acquisition/repair.ts';
import { formatBytes } from '../src/model/durations.ts';
import { UserError } from '../src/model/errors.ts';
import { auditSite, type SiteAudit } from '../src/site/audit.ts';
import { openArchive } from '../src/snapshot/archive.ts';
import { auditSnapshot, type Finding, type SnapshotAudit } from '../src/snapshot/audit.ts';
import { isSample } from '../src/snapshot/sample.ts';
import { type MannerFlags, mannerOptions, mannersOf } from './media.ts';
import { dirOption, jsonOption, snapshotOption } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags extends MannerFlags {
  snapshot: string;
  dir: string;
  repair?: boolean;
  json?: boolean;
}

interface Verdict {
  ok: boolean;
  /** As it was found. */
  snapshot?: SnapshotAudit;
  /** What of it was mended. */
  repairs?: Repairs;
  site?: SiteAudit;
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description(
      'Checks that every body and file is as it was received and none is there besides, that every link of the site leads somewhere inside it, and that no page asks the network for anything.',
    )
    .addOption(snapshotOption())
    .addOption(dirOption())
    .option('--repair', 'fetch again what is lost or damaged in the snapshot, and nothing else');
  return mannerOptions(command)
    .addOption(jsonOption())
    .action(async (flags: Flags, command: Command) => {
      const named = (option: string) => command.getOptionValueSource(option) !== 'default';
      // What was not named and is not there is not looked at; naming one alone looks at that one alone.
      const wantSnapshot = named('snapshot') || (!named('dir') && existsSync(flags.snapshot));
      const wantSite = named('dir') || (!named('snapshot') && existsSync(flags.dir));
      if (!wantSnapshot && !wantSite)
        throw new UserError('There is neither a snapshot nor a built site here: name their folders with --snapshot and --dir.');
      if (flags.repair && (!wantSnapshot || isSample(flags.snapshot)))
        throw new UserError(
          '--repair mends a snapshot: name its folder with --snapshot. A site is mended by “microfiche build”.',
        );
      const verdict = await runVerify(
        wantSnapshot ? flags.snapshot : undefined,
        wantSite ? flags.dir : undefined,
        flags.repair ? mannersOf(flags) : undefined,
        flags.json === true,
      );
      if (flags.json) console.log(JSON.stringify(verdict));
      else for (const line of lines(verdict)) console.log(line);
      if (!verdict.ok) process.exitCode = 1;
    });
}

async function runVerify(
  snapshot: string | undefined,
  dir: string | undefined,
  repair: Manners | undefined,
  quiet: boolean,
): Promise<Verdict> {
  const verdict: Verdict = { ok: true };
  if (snapshot !== undefined) {
    const progress = createProgress('Snapshot', quiet);
    const store = openArchive(snapshot);
    try {
      verdict.snapshot = await auditSnapshot(store, (done, total) =>
        progress.update(Math.round(done / MEGABYTE), Math.round(total / MEGABYTE), 'MB'),
      );
    } finally {
      progress.stop();
      store.close();
    }
    if (repair) verdict.repairs = await repairSnapshot(snapshot, verdict.snapshot.damaged, repair);
  }
  if (dir !== undefined) {
    const progress = createProgress('Site', quiet);
    try {
      verdict.site = await auditSite(dir, (done, total) => progress.update(done, total));
    } finally {
      progress.stop();
    }
  }
  verdict.ok = findings(verdict).length === 0;
  return verdict;
}

const MEGABYTE = 1_000_000;

/** What is wrong now: without what was mended. */
function findings({ snapshot, repairs, site }: Verdict): Finding[] {
  const mended = new Set([...(repairs?.files ?? []), ...(repairs?.bodies ?? [])]);
  return [
    ...(snapshot?.findings ?? []).filter(({ what }) => !mended.has(what)),
    ...(site?.altered ?? []),
    ...(site?.broken ?? []),
    ...(site?.network ?? []),
    ...(site?.unportable ?? []),
  ];
}

function lines(verdict: Verdict): string[] {
  const { snapshot, repairs, site } = verdict;
  return [
    ...(snapshot
      ? [
          `Snapshot: ${snapshot.bodies} bodies and ${snapshot.files} media files read again (${formatBytes(snapshot.bytes)}), ${snapshot.findings.length} not as received.`,
        ]
      : []),
    ...(repairs
      ? [
          `Mended: ${repairs.files.length} files and ${repairs.bodies.length} bodies, fetched again.`,
          ...repairs.failures.map(({ what, cause }) => `  ${what} could not be mended: ${cause}`),
        ]
      : []),
    ...(site
      ? [
          `Site: ${site.pages} pages, ${site.links} links: ${site.broken.length} broken links, ${site.network.length} network references, ${site.altered.length} altered files, ${site.unportable.length} that not every file system takes.`,
        ]
      : []),
    ...findings(verdict).map(({ what, problem }) => `  ${what}: ${problem}`),
  ];
}
