/** `microfiche verify`: audits the snapshot and the built site. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PackageAudit } from '../../src/export/audit-package.ts';
import { findUnpackedBag, isPackage } from '../../src/export/find-package.ts';
import { sizeOfPackage } from '../../src/export/package/package-reader.ts';
import type { RequestPolicy } from '../../src/media/download-media.ts';
import type { Repairs } from '../../src/media/repair.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, lineIf, toPrintable } from '../../src/platform/text-lines.ts';
import { auditDrive } from '../../src/publish/copies/drive-manifest.ts';
import { type Healing, type HealOptions, healSite } from '../../src/publish/copies/heal-site.ts';
import { healSnapshot } from '../../src/publish/copies/heal-snapshot.ts';
import { type FixityCheck, formatFixityLine, openFixityLog } from '../../src/publish/fixity-log.ts';
import { LEFT_OUT_FILE } from '../../src/publish/partial-copy.ts';
import { assertSigners, checkDirectorySignature } from '../../src/publish/signature.ts';
import { signatureFileOf } from '../../src/publish/signed-kinds.ts';
import { auditSite, type SiteAudit, type SiteFinding } from '../../src/publish/site-audit.ts';
import { createSiteIdentity, describeArchive, readSiteIdentity } from '../../src/publish/site-identity.ts';
import { auditSnapshot, type Finding } from '../../src/snapshot/audit.ts';
import { readMediaRows } from '../../src/snapshot/read.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import type { Flags } from '../options/options.ts';
import { toRequestPolicy } from '../options/request-options.ts';
import { createProgress } from '../progress.ts';

interface VerifyResult {
  ok: boolean;
  /** The audit before repairs. */
  snapshot?: Awaited<ReturnType<typeof verifySnapshot>>['audited'];
  repairs?: Repairs;
  /** What other copies have of what is damaged, and what was taken from them. */
  healings?: Healing[];
  site?: SiteAudit;
  package?: PackageAudit;
  /** Who signed the site or package; not given if it has findings. */
  signer?: string;
}

/** Runs the command `verify`. Returns its exit code. */
export async function verify(flags: Flags<'verify'>, command: Command): Promise<number> {
  const isNamed = (option: string) => command.getOptionValueSource(option) !== 'default';
  // Without --snapshot and --dir, both are checked if they exist. With one of them, only that one is checked.
  const checksSnapshot = isNamed('snapshot') || (!isNamed('dir') && existsSync(flags.snapshot));
  const checksSite = isNamed('dir') || (!isNamed('snapshot') && existsSync(flags.dir));
  if (!checksSnapshot && !checksSite)
    throw new UserError('No snapshot and no site found. Name their directories with --snapshot and --dir.');
  if (flags.repair && !checksSnapshot && !flags.with)
    throw new UsageError(
      '--repair works on a snapshot: name its directory with --snapshot. To repair a site, run "microfiche build", or name another copy of it with --with.',
    );
  if (flags.signers !== undefined && !checksSite)
    throw new UsageError('--signers works on a site, a USB drive, a bag or a WACZ: name it with --dir.');
  assertSigners(flags.signers);
  using log = flags.log === undefined ? undefined : openFixityLog(flags.log);
  const { result, checked } = await runVerify({
    snapshot: checksSnapshot ? flags.snapshot : undefined,
    dir: checksSite ? flags.dir : undefined,
    repair: flags.repair && !flags.with ? toRequestPolicy(flags) : undefined,
    heal: flags.with && { others: flags.with, repairs: flags.repair === true, signers: flags.signers },
    quiet: flags.json === true,
    signers: flags.signers,
  });
  const line = formatFixityLine(new Date(), checked);
  log?.append(line);
  if (flags.json) console.log(JSON.stringify({ ...result, ...(log ? { log: line } : {}) }));
  else for (const reportLine of verifyLines(result)) console.log(reportLine);
  return result.ok ? EXIT_CODES.success : EXIT_CODES.failure;
}

/** What `verify` checks, and how. */
interface VerifyTargets {
  /** Undefined for what is not checked. */
  snapshot: string | undefined;
  dir: string | undefined;
  repair: RequestPolicy | undefined;
  /** Compares with other copies; then nothing is downloaded. */
  heal?: HealOptions | undefined;
  quiet: boolean;
  signers: string | undefined;
}

/** Audits a snapshot, a site or a package, and repairs the snapshot if `repair` is set. */
export async function runVerify({ snapshot, dir, repair, heal, quiet, signers }: VerifyTargets) {
  const result: VerifyResult = { ok: true };
  const checked: FixityCheck[] = [];
  if (snapshot !== undefined) {
    const { check, audited } = await verifySnapshot(snapshot, quiet);
    result.snapshot = audited;
    if (repair) {
      const { repairSnapshot } = await import('../../src/media/repair.ts');
      result.repairs = await repairSnapshot(snapshot, audited.damaged, repair);
    }
    const healing = heal && (await healSnapshot(snapshot, audited.damaged, heal));
    if (healing) result.healings = [healing];
    checked.push({ ...check, healing });
  }
  if (dir !== undefined) {
    const bag = findUnpackedBag(dir);
    if (bag !== undefined) throw new UserError(`${toPrintable(dir)} contains a bag. Check it with --dir ${toPrintable(bag)}.`);
    if (heal && isPackage(dir))
      throw new UsageError(
        '--with compares sites, USB drives and snapshots, and no packages. Name one of them with --dir or --snapshot.',
      );
    const verify = isPackage(dir) ? verifyPackage : verifySite;
    let check: FixityCheck = await verify(dir, result, { quiet, signers });
    if (heal && result.site) {
      const altered = result.site.altered.map(({ what }) => what);
      const healing = await healSite(dir, altered, heal);
      result.healings = [...(result.healings ?? []), healing];
      if (healing.repaired.length > 0) check = { ...(await verifySite(dir, result, { quiet, signers })), healing };
    }
    checked.push(check);
    if (check.findings.length > 0) delete result.signer; // this is not what was signed
  }
  const repaired = repairedItems(result);
  const remaining = checked.map((target) => ({
    ...target,
    findings: target.findings.filter(({ what }) => target.kind !== 'snapshot' || !repaired.has(what)),
  }));
  result.ok = remaining.every(({ findings }) => findings.length === 0);
  return { result, checked: remaining };
}

function repairedItems({ repairs, healings = [] }: VerifyResult): Set<string> {
  return new Set([...(repairs?.files ?? []), ...(repairs?.bodies ?? []), ...healings.flatMap(({ repaired }) => repaired)]);
}

async function verifySnapshot(directory: string, quiet: boolean) {
  using progress = createProgress('Snapshot', quiet);
  using store = openSnapshot(directory);
  const audit = await auditSnapshot(store, (done, total) =>
    progress.update(Math.round(done / MEGABYTE), Math.round(total / MEGABYTE), 'MB'),
  );
  /** URLs whose files are stored; several may share one file. */
  const names = readMediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null).length;
  const identity = createSiteIdentity(store);
  const { bodies, files, bytes } = audit;
  const check: FixityCheck = {
    kind: 'snapshot',
    directory: resolve(directory),
    archive: describeArchive(identity),
    counts: { bodies, files, bytes },
    fingerprint: identity.snapshot,
    findings: audit.findings,
  };
  return { audited: { ...audit, names }, check };
}

async function verifySite(dir: string, result: VerifyResult, { quiet, signers }: Pick<VerifyTargets, 'quiet' | 'signers'>) {
  using progress = createProgress('Site', quiet);
  const site = await auditSite(dir, (done, total) => progress.update(done, total));
  const drive = site.isUsbDrive ? await auditDrive(dir, signers) : undefined;
  site.altered.push(...(drive?.altered ?? []));
  site.orphans.push(...(drive?.orphans ?? []));
  // Files that the manifest of a site does not list are findings already.
  const check = drive?.signature ?? (await checkDirectorySignature('site', site.dir, [], signers));
  if (check && 'signer' in check) result.signer = check.signer;
  else if (check) site.altered.push({ what: signatureFileOf(drive?.signature ? 'drive' : 'site'), problem: check.problem });
  result.site = site;
  const { files, pages, links, bytes, manifest: fingerprint } = site;
  const identity = readSiteIdentity(site.dir);
  return {
    kind: 'site' as const,
    directory: resolve(site.dir),
    archive: identity && describeArchive(identity),
    counts: { files, pages, links, bytes },
    fingerprint,
    findings: findingsByKind(site).flat(),
  };
}

async function verifyPackage(path: string, result: VerifyResult, { quiet, signers }: Pick<VerifyTargets, 'quiet' | 'signers'>) {
  using progress = createProgress('Package', quiet);
  let read = 0;
  const total = Math.round(sizeOfPackage(path) / MEGABYTE);
  const { auditPackage } = await import('../../src/export/audit-package.ts');
  const audit = await auditPackage(path, signers, (bytes) => {
    read += bytes;
    progress.update(Math.min(Math.round(read / MEGABYTE), total), total, 'MB');
  });
  result.package = audit;
  if (audit.signer !== undefined) result.signer = audit.signer;
  const { files, bytes, fingerprint, findings } = audit;
  return {
    kind: 'package' as const,
    directory: resolve(path),
    archive: undefined,
    counts: { files, bytes },
    fingerprint,
    findings,
  };
}

const MEGABYTE = 1_000_000;

/** Returns the result of an audit as text. */
export function verifyLines(result: VerifyResult): string[] {
  const { snapshot, repairs, healings = [], site, package: audited, signer } = result;
  return [
    ...(snapshot ? snapshotLines(snapshot, repairedItems(result)) : []),
    ...(repairs
      ? [
          `Repaired: ${formatCount(repairs.files.length, 'file')} and ${formatCount(repairs.bodies.length, 'response body', 'response bodies')}.`,
          ...groupLines(repairs.failures, {
            group: ({ cause }) => `could not be repaired: ${cause}`,
            line: ({ what }) => what,
          }),
        ]
      : []),
    ...healings.flatMap(healingLines),
    ...(site ? siteLines(site) : []),
    ...(audited ? packageLines(audited) : []),
    ...(signer === undefined ? [] : [`Signed by ${signer}.`]),
  ];
}

function packageLines({ path, format, files, bytes, fingerprint, archive, findings }: PackageAudit): string[] {
  return [
    `${path} (${format}): checked ${formatCount(files, 'file')} (${formatBytes(bytes)}); ${formatCount(findings.length, 'finding')}.`,
    ...(archive === undefined ? [] : [`Archive: ${archive}`]),
    ...(fingerprint === undefined ? [] : [`Fingerprint of the content: ${fingerprint}`]),
    ...findingLines(findings),
  ];
}

function healingLines({ copies, damaged, repaired }: Healing): string[] {
  return [
    ...copies.map(({ copy, state }) => `Compared with ${copy}: ${state}.`),
    ...groupLines(damaged, {
      group: ({ intactIn }) => (intactIn.length === 0 ? 'no copy has it undamaged' : `undamaged in ${intactIn.join(', ')}`),
      line: ({ what }) => what,
    }),
    ...(repaired.length > 0 ? [`Repaired from other copies: ${formatCount(repaired.length, 'item')}.`] : []),
  ];
}

function snapshotLines(
  { bodies, files, names, bytes, findings }: NonNullable<VerifyResult['snapshot']>,
  repaired: ReadonlySet<string>,
): string[] {
  return [
    `Snapshot: checked ${formatCount(bodies, 'response body', 'response bodies')} and ${formatCount(files, 'distinct media file')} of ${formatCount(names, 'URL')} (${formatBytes(bytes)}); ${formatCount(findings.length, 'finding')}.`,
    ...findingLines(findings.filter(({ what }) => !repaired.has(what))),
  ];
}

/** Groups findings by their problem. The checksum differs in each, so it is not part of the heading. */
function findingLines(findings: readonly Finding[]): string[] {
  return groupLines(findings, {
    group: ({ problem }) => (/has the SHA-256/.test(problem) ? 'checksum mismatch' : problem.replace(/ \(.*\)$/, '')),
    line: ({ what, problem }) => `${what}: ${problem}`,
  });
}

/** Returns all findings of an audit, in the order in which they are printed. */
function findingsByKind({ altered, orphans, broken, network, policy, unportable }: SiteAudit) {
  return [altered, orphans, broken, network, policy, unportable];
}

/** Returns a line about files that are no part of what was verified; none if there are none. */
function systemLine([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [`Left by an operating system, and no part of it: ${toPrintable(first)}${more}. These files can be deleted.`];
}

function siteLines(site: SiteAudit): string[] {
  const list = (findings: SiteFinding[]) =>
    groupLines(findings, {
      group: ({ cause, problem }) => cause ?? problem,
      line: ({ what, problem, cause }) => (cause === undefined ? what : `${what}: ${problem}`),
    });
  return [
    ...(site.isUsbDrive ? [`This is a USB drive. The site on it is in ${site.dir}.`] : []),
    `Site: ${formatCount(site.pages, 'page')}, ${formatCount(site.links, 'link')}: ${[
      formatCount(site.broken.length, 'broken link'),
      formatCount(site.network.length, 'network reference'),
      formatCount(site.altered.length, 'missing or corrupted file'),
      formatCount(site.orphans.length, 'orphan file'),
      formatCount(site.policy.length, 'violation of the Content-Security-Policy', 'violations of the Content-Security-Policy'),
      formatCount(site.unportable.length, 'unportable file'),
    ].join(', ')}; ${formatCount(site.files, 'file')} total.`,
    ...findingsByKind(site).flatMap(list),
    ...lineIf(site.lacking, `This is a partial copy: it lacks ${formatCount(site.lacking, 'file')}, listed in ${LEFT_OUT_FILE}.`),
    ...systemLine(site.system),
  ];
}
