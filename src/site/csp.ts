/** The Content-Security-Policy of every page: untrusted markup that gets into a page runs nothing and contacts no other host. */
import { createHash } from 'node:crypto';

/** The directives, and what needs each source. They apply to http:// and file:// alike; 'self' is the files of the site. */
const POLICY_DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  /** Everything else is blocked, such as frames and plug-ins. */
  'default-src': ["'none'"],
  /** Files in assets/, pages/ and thumbs/; no inline script or event handler. */
  'script-src': ["'self'"],
  /** The style sheet. Scripts may still set styles through the CSSOM, as the image viewer does. */
  'style-src': ["'self'"],
  /** The fonts of a design. */
  'font-src': ["'self'", 'data:'],
  /** `data:` is the transparent pixel that precedes a packed thumbnail, `blob:` a thumbnail from its pack. */
  'img-src': ["'self'", 'data:', 'blob:'],
  /** Recordings. A script makes the captions, without a file. */
  'media-src': ["'self'"],
  /** Over HTTP: the manifest of files that can be saved, the web app manifest that 404.html looks for. */
  'connect-src': ["'self'"],
  /** app.webmanifest. */
  'manifest-src': ["'self'"],
  /** sw.js. */
  'worker-src': ["'self'"],
  /** The search form. For Firefox, a file on file:// is not 'self'. Does not fall back to default-src. */
  'form-action': ["'self'", 'file:'],
  /** All URLs are relative, so a <base> would redirect them all. Does not fall back to default-src. */
  'base-uri': ["'none'"],
  /** No text becomes markup or a script, but as src/reader/browser/trusted-types.ts allows. */
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['default'],
};
/** A page with a script of its own, 404.html, loads the script that allows the others. */
const NOT_WITH_SCRIPT = ['require-trusted-types-for', 'trusted-types'];

/** Inline style and script of a page that cannot link to files: 404.html, and the start page of a USB drive. */
export type InlineContent = Partial<Record<'style' | 'script', string | undefined>>;

/** Returns the policy as the sources of each directive, by its name. */
export function policyDirectives({ style, script }: InlineContent = {}): Map<string, string[]> {
  const policy = new Map(Object.entries(POLICY_DIRECTIVES).map(([name, sources]) => [name, [...sources]]));
  if (style !== undefined) policy.get('style-src')?.push(hashSource(style));
  if (script !== undefined) {
    policy.get('script-src')?.push(hashSource(script));
    for (const name of NOT_WITH_SCRIPT) policy.delete(name);
  }
  return policy;
}

/** Returns the policy as the `content` of a <meta> element, which must precede everything that it applies to. */
export function contentSecurityPolicy(inline?: InlineContent): string {
  return [...policyDirectives(inline)].map(([name, sources]) => `${name} ${sources.join(' ')}`).join('; ');
}

/** Returns the source expression that allows exactly one inline text. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
