/** HTML from upstream, made safe: an allow-list of text elements; links lead into the mirror where it has the page, else plainly outside. */
import sanitizeHtml from 'sanitize-html';
import { legible } from '../model/legible.ts';
import { LONGEST_ADDRESS } from '../model/limits.ts';
import { isTooDeep, withoutTags } from '../model/markup.ts';

export interface LinkTarget {
  href: string;
  external: boolean;
}
/** Where a link in upstream's text leads; undefined keeps the words and drops the link. */
export type ResolveLink = (href: string) => LinkTarget | undefined;

const ALLOWED = 'p br i em b strong u sup sub ul ol li blockquote h2 h3 h4 dl dt dd table thead tbody tr th td a'.split(' ');

/** Sanitised HTML of legible characters. Plain text comes back escaped, and so do the words of what is nested too deeply to be parsed. */
export function sanitize(html: string, resolve: ResolveLink): string {
  if (!/[<&]/.test(html)) return escapeHtml(legible(html));
  if (isTooDeep(html)) return escapeHtml(legible(withoutTags(html)));
  const safe = sanitizeHtml(html, {
    allowedTags: ALLOWED,
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
  return legible(safe); // escapes such as &#x202e; have become what they stand for
}

/** A value as JSON that may stand inside a script element: nothing in it can end the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** An address that a reader may be led to outside the mirror: http(s) only, and no longer than browsers take. */
export function externalUrl(href: string): string | undefined {
  if (href.length > LONGEST_ADDRESS) return undefined;
  const url = URL.parse(href);
  if (url === null) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** A link as safe HTML. `attributes` is written as it is. */
export function link(text: string, href: string, attributes = ''): string {
  return `<a href="${escapeHtml(href)}"${attributes}>${escapeHtml(text)}</a>`;
}
