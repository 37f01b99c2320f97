/** Rewrites links to upstream into links to this server. No other code changes a stored body that is served. */
import type { BaseUrls } from './resources.ts';

/**
 * Replaces both base URLs in a stored body by `serverUrl`; all other bytes stay unchanged. Matches both schemes, and JSON's
 * escaped slash (`http:\/\/`).
 */
export function rewriteLinks(body: string, baseUrls: BaseUrls, serverUrl: string): string {
  let out = body;
  for (const base of new Set([baseUrls.authors, baseUrls.catalog])) {
    const withoutScheme = base.replace(/^https?:\/\//, '');
    for (const slash of ['/', '\\/']) {
      const escaped = withoutScheme.replaceAll('/', slash);
      const target = serverUrl.replaceAll('/', slash);
      for (const scheme of ['https', 'http']) {
        const from = `${scheme}:${slash}${slash}${escaped}`;
        // Only complete host names match: `http://a.example` must not match `http://a.example.org`.
        out = out.split(from).reduce((left, right) => (/^[\w.:-]/.test(right) ? left + from + right : left + target + right));
      }
    }
  }
  return out;
}
