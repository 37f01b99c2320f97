/** `microfiche verify`: fixity of the snapshot, and the soundness of the built site. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { UserError } from '../src/model/errors.ts';
import { auditSite, type SiteAudit } from '../src/site/audit.ts';
import { openArchive } from '../src/snapshot/archive.ts';
import { auditSnapshot, type Finding, type SnapshotAudit } from '../src/snapshot/audit.ts';
import { dirOption, jsonOption, snapshotOption } from './options.ts';
import { createProgress } from './progress.ts';

interface Verdict {
  ok: boolean;
  snapshot?: SnapshotAudit;
  site?: SiteAudit;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Checks that every body and file is as it was received, that every link of the site leads somewhere inside it, and that no page asks the network for anything.',
    )
    .addOption(snapshotOption())
    .addOption(dirOption())
    .addOption(jsonOption())
    .action(async (flags: { snapshot: string; dir: string; json?: boolean }, command: Command) => {
      const named = (option: string) => command.getOptionValueSource(option) !== 'default';
      // What was not named and is not there is not looked at; naming one alone looks at that one alone.
      const wantSnapshot = named('snapshot') || (!named('dir') && existsSync(flags.snapshot));
      const wantSite = named('dir') || (!named('snapshot') && existsSync(flags.dir));
      if (!wantSnapshot && !wantSite)
        throw new UserError('There is neither a snapshot nor a built site here: name their folders with --snapshot and --dir.');
      const verdict = await runVerify(
        wantSnapshot ? flags.snapshot : undefined,
        wantSite ? flags.dir : undefined,
        flags.json === true,
      );
      if (flags.json) console.log(JSON.stringify(verdict));
      else for (const line of lines(verdict)) console.log(line);
      if (!verdict.ok) process.exitCode = 1;
    });
}

async function runVerify(snapshot: string | undefined, dir: string | undefined, quiet: boolean): Promise<Verdict> {
  const verdict: Verdict = { ok: true };
  if (snapshot !== undefined) {
    const progress = createProgress('Snapshot', quiet);
    const store = openArchive(snapshot);
    try {
      verdict.snapshot = await auditSnapshot(store, (done, total) => progress.update(done, total));
    } finally {
      progress.stop();
      store.close();
    }
  }
  if (dir !== undefined) {
    const progress = createProgress('Site', quiet);
    try {
      verdict.site = auditSite(dir, (done, total) => progress.update(done, total));
    } finally {
      progress.stop();
    }
  }
  verdict.ok = findings(verdict).length === 0;
  return verdict;
}

function findings({ snapshot, site }: Verdict): Finding[] {
  return [
    ...(snapshot?.findings ?? []),
    ...(site?.altered ?? []),
    ...(site?.broken ?? []),
    ...(site?.network ?? []),
    ...(site?.unportable ?? []),
  ];
}

function lines(verdict: Verdict): string[] {
  const { snapshot, site } = verdict;
  return [
    ...(snapshot
      ? [
          `Snapshot: ${snapshot.bodies} bodies and ${snapshot.files} media files read again, ${snapshot.findings.length} not as received.`,
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
