/** Formats the audit of a site for `verify`: counts, and findings by cause. */
import { counted, grouped } from '../platform/lines.ts';
import type { SiteAudit, SiteFinding } from './audit.ts';

/** Returns all findings of an audit, in the order in which they are printed. */
export function siteFindings({ altered, orphans, broken, network, policy, unportable }: SiteAudit): SiteFinding[] {
  return [...altered, ...orphans, ...broken, ...network, ...policy, ...unportable];
}

/** Returns lines for a terminal. `rest` says where the complete lists are. */
export function siteLines(site: SiteAudit, rest: string): string[] {
  const list = (findings: SiteFinding[]) =>
    grouped(findings, {
      group: ({ cause, problem }) => cause ?? problem,
      line: ({ what, problem, cause }) => (cause === undefined ? what : `${what}: ${problem}`),
      rest,
    });
  return [
    ...(site.onStick ? [`This is a USB drive. The site on it is in ${site.dir}.`] : []),
    `Site: ${counted(site.pages, 'page')}, ${counted(site.links, 'link')}: ${[
      counted(site.broken.length, 'broken link'),
      counted(site.network.length, 'network reference'),
      counted(site.altered.length, 'missing or corrupted file'),
      counted(site.orphans.length, 'orphan file'),
      counted(site.policy.length, 'violation of the Content-Security-Policy', 'violations of the Content-Security-Policy'),
      counted(site.unportable.length, 'unportable file'),
    ].join(', ')}; ${counted(site.files, 'file')} total.`,
    ...[site.altered, site.orphans, site.broken, site.network, site.policy, site.unportable].flatMap(list),
  ];
}
