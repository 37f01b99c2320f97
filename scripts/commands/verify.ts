/** `microfiche verify`: audits the snapshot and the built site. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { findUnpackedBag, isPackage } from '../../src/export/find-package.ts';
import { sizeOfPackage } from '../../src/export/package/package-reader.ts';
import type { DownloadPolicy } from '../../src/media/download-media.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import { auditDrive } from '../../src/publish/copies/drive-manifest.ts';
import { type HealOptions, healSite } from '../../src/publish/copies/heal-site.ts';
import { healSnapshot } from '../../src/publish/copies/heal-snapshot.ts';
import { isUrl } from '../../src/publish/copies/site-source.ts';
import { type FixityCheck, formatFixityLine, openFixityLog } from '../../src/publish/fixity-log.ts';
import { assertSigners, checkDirectorySignature } from '../../src/publish/signature.ts';
import { signatureFileOf } from '../../src/publish/signed-kinds.ts';
import { auditSite } from '../../src/publish/site-audit.ts';
import { createSiteIdentity, describeArchive, readSiteIdentity } from '../../src/publish/site-identity.ts';
import { readUpdate } from '../../src/publish/site-update.ts';
import { auditSnapshot } from '../../src/snapshot/audit.ts';
import { readMediaRows } from '../../src/snapshot/read.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import type { Flags } from '../options/options.ts';
import { toRequestPolicy } from '../options/request-options.ts';
import { createProgress } from '../progress.ts';
import { findingsByKind, repairedItems, type VerifyResult, verifyLines } from './verify-report.ts';

/** Runs the command `verify`. */
export async function verify(flags: Flags<'verify'>, command: Command) {
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
  const url = flags.with?.find(isUrl);
  if (url) throw new UsageError(`--with compares copies on this machine. First run "microfiche sync ${url} DIR", and name DIR.`);
  if (flags.signers !== undefined && !checksSite)
    throw new UsageError('--signers works on a site, a USB drive, a bag or a WACZ: name it with --dir.');
  if (checksSite && isPackage(flags.dir) && (flags.sampleRate ?? 1) < 1)
    throw new UsageError('--sample-rate works on snapshots, sites and USB drives. A package is always read as a whole.');
  assertSigners(flags.signers);
  using log = flags.log === undefined ? undefined : openFixityLog(flags.log);
  const { result, checked } = await runVerify({
    snapshot: checksSnapshot ? flags.snapshot : undefined,
    dir: checksSite ? flags.dir : undefined,
    repair: flags.repair && !flags.with ? toRequestPolicy(flags) : undefined,
    heal: flags.with && { others: flags.with, repairs: flags.repair === true, signers: flags.signers },
    quiet: flags.json === true,
    signers: flags.signers,
    sampleRate: flags.sampleRate,
  });
  const line = formatFixityLine(new Date(), checked);
  log?.append(line);
  const exitCode = result.ok ? EXIT_CODES.success : EXIT_CODES.failure;
  return { report: { ...result, ...(log ? { log: line } : {}) }, lines: verifyLines(result), exitCode };
}

/** What `verify` checks, and how. */
interface VerifyTargets {
  /** Undefined for what is not checked. */
  snapshot: string | undefined;
  dir: string | undefined;
  repair: DownloadPolicy | undefined;
  /** Compares with other copies; then nothing is downloaded. */
  heal?: HealOptions | undefined;
  quiet: boolean;
  signers: string | undefined;
  /** The share of the media files that is read, from 0 to 1; all by default. */
  sampleRate?: number | undefined;
}

/** Audits a snapshot, a site or a package, and repairs the snapshot if `repair` is set. */
export async function runVerify({ snapshot, dir, repair, heal, ...options }: VerifyTargets) {
  const result: VerifyResult = { ok: true };
  const checked: FixityCheck[] = [];
  if (snapshot !== undefined) {
    const { check, audited } = await verifySnapshot(snapshot, options);
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
    if (heal && (isPackage(dir) || readUpdate(dir)))
      throw new UsageError(
        '--with compares sites, USB drives and snapshots, and no packages or updates. Name one of them with --dir or --snapshot.',
      );
    const verify = isPackage(dir) ? verifyPackage : verifySite;
    let check: FixityCheck = await verify(dir, result, options);
    if (heal && result.site) {
      const altered = result.site.altered.map(({ what }) => what);
      const healing = await healSite(dir, altered, heal);
      result.healings = [...(result.healings ?? []), healing];
      if (healing.repaired.length > 0) check = { ...(await verifySite(dir, result, { ...options, sampleRate: 1 })), healing };
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

/** What applies to each of the targets. */
type Options = Pick<VerifyTargets, 'quiet' | 'signers' | 'sampleRate'>;

async function verifySnapshot(directory: string, { quiet, sampleRate }: Options) {
  using progress = createProgress('Snapshot', quiet);
  using store = openSnapshot(directory);
  const show = (done: number, total: number) => progress.update(Math.round(done / MEGABYTE), Math.round(total / MEGABYTE), 'MB');
  const audit = await auditSnapshot(store, show, { sampleRate });
  const names = readMediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null).length;
  const identity = createSiteIdentity(store);
  const { bodies, files, bytes } = audit;
  const check: FixityCheck = {
    kind: 'snapshot',
    directory: resolve(directory),
    archive: describeArchive(identity),
    counts: { bodies, files, ...sampled(audit), bytes },
    fingerprint: identity.snapshot,
    findings: audit.findings,
  };
  return { audited: { ...audit, names }, check };
}

/** Returns how many files were read, for the log, unless all were. */
const sampled = ({ files, unread }: Record<'files' | 'unread', number>): Record<string, number> =>
  unread > 0 ? { 'files-read': files - unread } : {};

async function verifySite(dir: string, result: VerifyResult, { quiet, signers, sampleRate }: Options) {
  using progress = createProgress('Site', quiet);
  const site = await auditSite(dir, (done, total) => progress.update(done, total), sampleRate);
  const drive = site.isUsbDrive ? await auditDrive(dir, signers) : undefined;
  site.altered.push(...(drive?.altered ?? []));
  site.orphans.push(...(drive?.orphans ?? []));
  // Files that the manifest of a site does not list are findings already.
  const ofUpdate = { problem: 'that of an update is checked when it is applied: add --signers to "microfiche sync"' };
  const checkSite = () => checkDirectorySignature('site', site.dir, signers);
  const check = drive?.signature ?? (site.isUpdate ? signers && ofUpdate : await checkSite());
  if (check && 'signer' in check) result.signer = check.signer;
  else if (check) site.altered.push({ what: signatureFileOf(drive?.signature ? 'drive' : 'site'), problem: check.problem });
  result.site = site;
  const { files, pages, links, bytes, manifest: fingerprint } = site;
  const identity = readSiteIdentity(site.dir);
  return {
    kind: 'site' as const,
    directory: resolve(site.dir),
    archive: identity && describeArchive(identity),
    counts: { files, ...sampled(site), pages, links, bytes },
    fingerprint,
    findings: findingsByKind(site).flat(),
  };
}

async function verifyPackage(path: string, result: VerifyResult, { quiet, signers }: Options) {
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
