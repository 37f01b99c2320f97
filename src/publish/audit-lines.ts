/** Formats the audit of a site for `verify`: counts, and findings by cause. */
import { formatCount, groupLines } from '../platform/text-lines.ts';
import type { SiteAudit, SiteFinding } from './site-audit.ts';

/** Returns all findings of an audit, in the order in which they are printed. */
export function siteFindings({ altered, orphans, broken, network, policy, unportable }: SiteAudit): SiteFinding[] {
  return [...altered, ...orphans, ...broken, ...network, ...policy, ...unportable];
}

/** Returns lines for a terminal. `fullListFile` says where the complete lists are. */
export function siteLines(site: SiteAudit, fullListFile: string): string[] {
  const list = (findings: SiteFinding[]) =>
    groupLines(findings, {
      group: ({ cause, problem }) => cause ?? problem,
      line: ({ what, problem, cause }) => (cause === undefined ? what : `${what}: ${problem}`),
      fullListFile,
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
    ...[site.altered, site.orphans, site.broken, site.network, site.policy, site.unportable].flatMap(list),
  ];
}
