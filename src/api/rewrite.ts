/** The one place where bodies change on their way out of a snapshot: links to upstream become links to this server. */
import type { Bases } from '../model/resources.ts';

/**
 * A stored body with every address below the two bases put below `self` instead; all other bytes stay as they were received.
 * Both spellings of the scheme count, and JSON's escaped slash (`http:\/\/`).
 */
export function rewriteLinks(body: string, bases: Bases, self: string): string {
  let out = body;
  for (const base of new Set([bases.authors, bases.catalog])) {
    const address = base.replace(/^https?:\/\//, '');
    for (const slash of ['/', '\\/']) {
      const written = address.replaceAll('/', slash);
      const target = self.replaceAll('/', slash);
      for (const scheme of ['https', 'http']) {
        const from = `${scheme}:${slash}${slash}${written}`;
        // Only a whole address counts: `http://a.example` must not touch `http://a.example.org`.
        out = out.split(from).reduce((left, right) => (/^[\w.:-]/.test(right) ? left + from + right : left + target + right));
      }
    }
  }
  return out;
}
