/** What `verify` says of a site: counts, and what is wrong, grouped by cause. */
import { counted, grouped } from '../platform/lines.ts';
import type { SiteAudit, SiteFinding } from './audit.ts';

/** Everything that is wrong with a site, in the order in which it is told. */
export function siteFindings({ altered, orphans, broken, network, policy, unportable }: SiteAudit): SiteFinding[] {
  return [...altered, ...orphans, ...broken, ...network, ...policy, ...unportable];
}

/** Lines for a terminal; `rest` tells where the whole lists are. */
export function siteLines(site: SiteAudit, rest: string): string[] {
  const list = (findings: SiteFinding[]) =>
    grouped(findings, {
      group: ({ cause, problem }) => cause ?? problem,
      line: ({ what, problem, cause }) => (cause === undefined ? what : `${what}: ${problem}`),
      rest,
    });
  return [
    ...(site.onStick ? [`This is a stick: the mirror in ${site.dir} is checked.`] : []),
    `Site: ${counted(site.pages, 'page')}, ${counted(site.links, 'link')}: ${[
      counted(site.broken.length, 'broken link'),
      counted(site.network.length, 'network reference'),
      counted(site.altered.length, 'altered or lost file'),
      counted(site.orphans.length, 'orphan file'),
      counted(site.policy.length, 'breach of the Content-Security-Policy', 'breaches of the Content-Security-Policy'),
      `${site.unportable.length} that not every file system takes`,
    ].join(', ')}; ${counted(site.files, 'file')} in all.`,
    ...[site.altered, site.orphans, site.broken, site.network, site.policy, site.unportable].flatMap(list),
  ];
}
