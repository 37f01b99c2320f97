/** Rewrites URLs in bodies: links to upstream into links to this server, and those of an archive that has moved. */
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

/**
 * Returns a function that replaces one base URL by another one in a text. Matches both schemes, and JSON's escaped slash. Only a
 * complete host with complete parts of the path matches, and no URL in the path of another one, such as that of a web archive.
 */
export function createUrlMover(from: string, to: string): (text: string) => string {
  const [[fromScheme, source], [toScheme, target]] = [splitScheme(from), splitScheme(to)];
  const path = source.split('/').map(RegExp.escape).join('\\2');
  const pattern = new RegExp(`(?<![\\w/])(https?):(\\\\?/)\\2${path}(?![\\w%~@-]|[.:]\\w)`, 'g');
  return (text) =>
    text.replace(pattern, (_, scheme: string, slash: string) => {
      const newScheme = fromScheme === toScheme ? scheme : toScheme;
      return `${newScheme}:${slash}${slash}${target.replaceAll('/', slash)}`;
    });
}

/** Splits an http(s) URL after its scheme: `['https', 'a.example/x']`. */
export function splitScheme(url: string): [scheme: string, rest: string] {
  const end = url.indexOf('://');
  return [url.slice(0, end), url.slice(end + 3)];
}
