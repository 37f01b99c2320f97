/** `microfiche verify`: fixity of the snapshot, and the soundness of the built site. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Manners } from '../src/media/fetch.ts';
import { type Repairs, repairSnapshot } from '../src/media/repair.ts';
import { UsageError, UserError } from '../src/model/errors.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { counted, grouped } from '../src/platform/lines.ts';
import { auditSite, type SiteAudit } from '../src/publish/audit.ts';
import { siteFindings, siteLines } from '../src/publish/audit-lines.ts';
import { type Checked, fixityLine, openLog } from '../src/publish/fixity-log.ts';
import { archiveName, identityOf, siteIdentity } from '../src/publish/identity.ts';
import { openArchive } from '../src/sample/archive.ts';
import { isSample } from '../src/sample/sample.ts';
import { auditSnapshot, type Finding, type SnapshotAudit } from '../src/snapshot/audit.ts';
import { mediaRows } from '../src/snapshot/read.ts';
import { type MannerFlags, mannerOptions, mannersOf } from './media.ts';
import { dirOption, jsonOption, snapshotOption } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags extends MannerFlags {
  snapshot: string;
  dir: string;
  repair?: boolean;
  log?: string;
  json?: boolean;
}

/** As it was found. `names`: addresses whose files are there; several may share one file. */
interface SnapshotVerdict extends SnapshotAudit {
  names: number;
}

interface Verdict {
  ok: boolean;
  snapshot?: SnapshotVerdict;
  /** What of it was mended. */
  repairs?: Repairs;
  site?: SiteAudit;
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description(
      'Checks that every body and file is as it was received or built and none is there besides, that every link of the site leads somewhere inside it, and that no page asks the network for anything. --dir may also name the root of a stick.',
    )
    .addOption(snapshotOption())
    .addOption(dirOption())
    .option('--repair', 'fetch again what is lost or damaged in the snapshot, and nothing else')
    .option(
      '--log <file>',
      'add a line to this file: time (UTC), version, ok or failed, and what was checked as name=value: folder, archive, counts, SHA-256, findings',
    );
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
        throw new UsageError(
          '--repair mends a snapshot: name its folder with --snapshot. A site is mended by “microfiche build”.',
        );
      const log = flags.log === undefined ? undefined : openLog(flags.log);
      try {
        const { verdict, checked } = await runVerify(
          wantSnapshot ? flags.snapshot : undefined,
          wantSite ? flags.dir : undefined,
          flags.repair ? mannersOf(flags) : undefined,
          flags.json === true,
        );
        const line = fixityLine(new Date(), checked);
        log?.append(line);
        if (flags.json) console.log(JSON.stringify({ ...verdict, ...(log ? { log: line } : {}) }));
        else for (const one of lines(verdict)) console.log(one);
        if (!verdict.ok) process.exitCode = 1;
      } finally {
        log?.close();
      }
    });
}

async function runVerify(
  snapshot: string | undefined,
  dir: string | undefined,
  repair: Manners | undefined,
  quiet: boolean,
): Promise<{ verdict: Verdict; checked: Checked[] }> {
  const verdict: Verdict = { ok: true };
  const checked: Checked[] = [];
  if (snapshot !== undefined) {
    const progress = createProgress('Snapshot', quiet);
    const store = openArchive(snapshot);
    try {
      const audit = await auditSnapshot(store, (done, total) =>
        progress.update(Math.round(done / MEGABYTE), Math.round(total / MEGABYTE), 'MB'),
      );
      const names = mediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null).length;
      verdict.snapshot = { ...audit, names };
      const identity = identityOf(store, snapshot);
      const { bodies, files, bytes } = audit;
      checked.push({
        kind: 'snapshot',
        folder: resolve(snapshot),
        archive: archiveName(identity),
        counts: { bodies, files, bytes },
        fingerprint: identity.snapshot,
        findings: audit.findings,
      });
    } finally {
      progress.stop();
      store.close();
    }
    if (repair) verdict.repairs = await repairSnapshot(snapshot, verdict.snapshot.damaged, repair);
  }
  if (dir !== undefined) {
    const progress = createProgress('Site', quiet);
    try {
      const site = await auditSite(dir, (done, total) => progress.update(done, total));
      verdict.site = site;
      checked.push(siteChecked(site));
    } finally {
      progress.stop();
    }
  }
  const { repairs } = verdict;
  const mended = new Set([...(repairs?.files ?? []), ...(repairs?.bodies ?? [])]);
  const remaining = checked.map((one) => ({
    ...one,
    findings: one.findings.filter(({ what }) => one.kind === 'site' || !mended.has(what)),
  }));
  verdict.ok = remaining.every(({ findings }) => findings.length === 0);
  return { verdict, checked: remaining };
}

function siteChecked(site: SiteAudit): Checked {
  const { dir, files, pages, links, bytes, manifest } = site;
  const identity = siteIdentity(dir);
  return {
    kind: 'site',
    folder: resolve(dir),
    archive: identity && archiveName(identity),
    counts: { files, pages, links, bytes },
    fingerprint: manifest,
    findings: siteFindings(site),
  };
}

const MEGABYTE = 1_000_000;
/** Where all of a list is that was cut. */
const JSON_OUTPUT = 'the output of --json';

function lines({ snapshot, repairs, site }: Verdict): string[] {
  return [
    ...(snapshot ? snapshotLines(snapshot, repairs) : []),
    ...(repairs
      ? [
          `Mended: ${counted(repairs.files.length, 'file')} and ${counted(repairs.bodies.length, 'body', 'bodies')}, fetched again.`,
          ...grouped(repairs.failures, {
            group: ({ cause }) => `could not be mended: ${cause}`,
            line: ({ what }) => what,
            rest: JSON_OUTPUT,
          }),
        ]
      : []),
    ...(site ? siteLines(site, JSON_OUTPUT) : []),
  ];
}

function snapshotLines({ bodies, files, names, bytes, findings }: SnapshotVerdict, repairs: Repairs | undefined): string[] {
  const mended = new Set([...(repairs?.files ?? []), ...(repairs?.bodies ?? [])]);
  return [
    `Snapshot: ${counted(bodies, 'body', 'bodies')} and ${counted(files, 'distinct media file')} of ${counted(names, 'address', 'addresses')} read again (${formatBytes(bytes)}), ${findings.length} not as received.`,
    ...grouped(
      findings.filter(({ what }) => !mended.has(what)),
      { group: causeOf, line: ({ what, problem }) => `${what}: ${problem}`, rest: JSON_OUTPUT },
    ),
  ];
}

/** What findings have in common: a checksum is different in each. */
function causeOf({ problem }: Finding): string {
  if (/has the SHA-256/.test(problem)) return 'not as received';
  return problem.replace(/ \(.*\)$/, '');
}
