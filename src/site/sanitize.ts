/** Makes HTML from upstream safe: allows a list of text elements, and links to the site's own page if it has one, or else to the outside. */
import sanitizeHtml from 'sanitize-html';
import { toLegible } from '../model/legible.ts';
import { MAX_URL_LENGTH } from '../model/limits.ts';
import { escapeHtml, isTooDeeplyNested, stripTags } from '../model/markup.ts';

/** The target of a link. */
export interface LinkTarget {
  href: string;
  /** Whether it is outside the site. */
  external: boolean;
}
/** Returns the target of a link in upstream's text; undefined removes the link and keeps its text. */
export type ResolveLink = (href: string) => LinkTarget | undefined;

const ALLOWED_TAGS = 'p br i em b strong u sup sub ul ol li blockquote h2 h3 h4 dl dt dd table thead tbody tr th td a'.split(' ');

/** Returns sanitized HTML without illegible characters. Plain text is escaped; markup that is nested too deeply to be parsed becomes escaped text. */
export function toSafeHtml(html: string, resolve: ResolveLink): string {
  if (!/[<&]/.test(html)) return escapeHtml(toLegible(html));
  if (isTooDeeplyNested(html)) return escapeHtml(toLegible(stripTags(html)));
  const safe = sanitizeHtml(html, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'iframe'],
    transformTags: {
      h1: 'h2',
      a: (_, attributes): sanitizeHtml.Tag => {
        const target = attributes['href'] === undefined ? undefined : resolve(attributes['href']);
        if (!target) return { tagName: 'a', attribs: {} };
        return {
          tagName: 'a',
          attribs: target.external ? { href: target.href, rel: 'external noreferrer' } : { href: target.href },
        };
      },
    },
  });
  return toLegible(safe); // escapes such as &#x202e; are decoded now
}

/** Returns a value as JSON for a script element: nothing in it can end the element. */
export function escapeScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Returns a URL that a page may link to outside the site: http or https, and not longer than browsers accept. Undefined for any other. */
export function safeExternalUrl(href: string): string | undefined {
  if (href.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(href);
  if (url === null) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Returns a link as safe HTML. `attributes` must be safe already. */
export function safeLink(text: string, href: string, attributes = ''): string {
  return `<a href="${escapeHtml(href)}"${attributes}>${escapeHtml(text)}</a>`;
}
