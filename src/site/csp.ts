/** The Content-Security-Policy of every page: should markup of someone else ever get into a page, a browser runs nothing of it and asks no other host for anything. */
import { createHash } from 'node:crypto';

/** What a page may do, and why. Each part holds on file:// as it does over HTTP, where 'self' is the mirror's own files. */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  /** What is not named below is refused: frames, plug-ins, fonts. */
  'default-src': ["'none'"],
  /** Files below assets/, pagefind/, packs/, pages/ and thumbs/; no inline script and no event handler. The search engine is WebAssembly. */
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  /** The style sheet. Scripts may still set styles through the CSSOM, as the viewer of pictures does. */
  'style-src': ["'self'"],
  /** `data:` is the transparent pixel in place of a packed thumbnail, `blob:` a thumbnail out of its pack. */
  'img-src': ["'self'", 'data:', 'blob:'],
  /** Recordings. Captions are made by a script, without a file. */
  'media-src': ["'self'"],
  /** Over HTTP: the search index, the manifest of what can be kept, the way home from a lost address. */
  'connect-src': ["'self'"],
  /** app.webmanifest. */
  'manifest-src': ["'self'"],
  /** sw.js. */
  'worker-src': ["'self'"],
  /** The search form; Firefox does not count a file on file:// as 'self'. It does not fall back to default-src. */
  'form-action': ["'self'", 'file:'],
  /** All addresses are relative: a <base> would turn every one of them. It does not fall back to default-src. */
  'base-uri': ["'none'"],
};

/** Inline text that one page may have, since it can link to no file: the page for lost addresses, and the one in a stick's root. */
export interface Inline {
  style?: string | undefined;
  script?: string | undefined;
}

/** The policy as the directives by name, with the sources of each. */
export function policyDirectives({ style, script }: Inline = {}): Map<string, string[]> {
  const policy = new Map(Object.entries(DIRECTIVES).map(([name, sources]) => [name, [...sources]]));
  if (style !== undefined) policy.get('style-src')?.push(hashSource(style));
  if (script !== undefined) policy.get('script-src')?.push(hashSource(script));
  return policy;
}

/** The policy as the `content` of its <meta>, which must stand before everything that it is to hold for. */
export function contentSecurityPolicy(inline?: Inline): string {
  return [...policyDirectives(inline)].map(([name, sources]) => `${name} ${sources.join(' ')}`).join('; ');
}

/** The source expression that allows one inline text, to the byte. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
