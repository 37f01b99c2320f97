/** Prints what `microfiche verify` found. */
import type { PackageAudit } from '../../src/export/audit-package.ts';
import type { Repairs } from '../../src/media/repair.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, lineIf, toPrintable } from '../../src/platform/text-lines.ts';
import type { Healing } from '../../src/publish/copies/heal-site.ts';
import { LEFT_OUT_FILE } from '../../src/publish/partial-copy.ts';
import type { SiteAudit, SiteFinding } from '../../src/publish/site-audit.ts';
import type { Finding, SnapshotAudit } from '../../src/snapshot/audit.ts';

/** What `verify` found in each of its targets. */
export interface VerifyResult {
  ok: boolean;
  /** The audit before repairs. */
  snapshot?: SnapshotAudit & {
    /** URLs whose files are stored; several may share one file. */
    names: number;
  };
  repairs?: Repairs;
  /** What other copies have of what is damaged, and what was taken from them. */
  healings?: Healing[];
  site?: SiteAudit;
  package?: PackageAudit;
  /** Who signed the site or package; not given if it has findings. */
  signer?: string | undefined;
}

/** Returns what is no longer damaged. */
export function repairedItems({ repairs, healings = [] }: VerifyResult): Set<string> {
  return new Set([...(repairs?.files ?? []), ...(repairs?.bodies ?? []), ...healings.flatMap(({ repaired }) => repaired)]);
}

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
  { bodies, files, unread, names, bytes, findings }: NonNullable<VerifyResult['snapshot']>,
  repaired: ReadonlySet<string>,
): string[] {
  return [
    `Snapshot: checked ${formatCount(bodies, 'response body', 'response bodies')} and ${formatCount(files, 'distinct media file')} of ${formatCount(names, 'URL')} (${formatBytes(bytes)}); ${formatCount(findings.length, 'finding')}.`,
    ...sampleLine({ files, unread }),
    ...findingLines(findings.filter(({ what }) => !repaired.has(what))),
  ];
}

/** Says how many files an audit has read, unless it has read all. */
const sampleLine = ({ files, unread }: Record<'files' | 'unread', number>): string[] =>
  lineIf(unread, `--sample-rate: looked at ${formatCount(files, 'file')}, read ${files - unread}.`);

/** Groups findings by their problem. The checksum differs in each, so it is not part of the heading. */
function findingLines(findings: readonly Finding[]): string[] {
  return groupLines(findings, {
    group: ({ problem }) => (/has the SHA-256/.test(problem) ? 'checksum mismatch' : problem.replace(/ \(.*\)$/, '')),
    line: ({ what, problem }) => `${what}: ${problem}`,
  });
}

/** Returns all findings of an audit, in the order in which they are printed. */
export function findingsByKind({ altered, orphans, broken, network, policy, unportable }: SiteAudit) {
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
    ...sampleLine(site),
    ...findingsByKind(site).flatMap(list),
    ...lineIf(site.lacking, `This is a partial copy: it lacks ${formatCount(site.lacking, 'file')}, listed in ${LEFT_OUT_FILE}.`),
    ...(site.isUpdate ? ['This is an update: its patches and its signature are checked when it is applied.'] : []),
    ...systemLine(site.system),
  ];
}
