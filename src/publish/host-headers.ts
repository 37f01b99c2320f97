/** Creates `_headers`, from which Netlify and Cloudflare Pages read the response headers of a site. docs/examples has the same for nginx and Caddy. */

/** The file, which these hosts read only in the root of what is published. */
export const HEADERS_FILE = '_headers';

/** For all files. The policy in each page has the other directives; browsers ignore this one there. */
const SECURITY_HEADERS = [
  "Content-Security-Policy: frame-ancestors 'self'",
  'Referrer-Policy: no-referrer',
  'X-Content-Type-Options: nosniff',
];
/** The default of both hosts is that browsers check each time whether a file has changed. Images and recordings are kept for an hour. */
const CACHED = 'Cache-Control: public, max-age=3600';
/** IIIF viewers on other hosts read these files. */
const SHARED = 'Access-Control-Allow-Origin: *';
/** By directory. Both hosts join the values if two rules set the same header, so no two rules for one file do. */
const DIRECTORY_HEADERS: Readonly<Record<string, readonly string[]>> = {
  iiif: [SHARED],
  media: [CACHED, SHARED],
  thumbs: [CACHED, SHARED],
};

/** Returns the text of `_headers` for a site at a URL. */
export function createHostHeaders(siteUrl: string): string {
  const { pathname } = new URL(siteUrl);
  const rules = [
    [`${pathname}*`, SECURITY_HEADERS] as const,
    ...Object.entries(DIRECTORY_HEADERS).map(([directory, headers]) => [`${pathname}${directory}/*`, headers] as const),
  ];
  return rules.map(([path, headers]) => [path, ...headers.map((header) => `  ${header}`), ''].join('\n')).join('\n');
}
