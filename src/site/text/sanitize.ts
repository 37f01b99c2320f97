/** Makes upstream's HTML safe: allows a list of text elements, and links to the site's own page, or else to the outside. */
import sanitizeHtml from 'sanitize-html';
import { cutHidden } from '../../model/text/cut-elements.ts';
import { toLegible } from '../../model/text/legible.ts';
import * as markup from '../../model/text/markup.ts';
import { addParagraphs, textToHtml } from './paragraphs.ts';

/** The target of a link. */
export interface LinkTarget {
  href: string;
  /** Whether it is outside the site. */
  external: boolean;
}
/** Returns the target of a link in upstream's text; undefined removes the link and keeps its text. */
export type ResolveLink = (href: string) => LinkTarget | undefined;

const ALLOWED_TAGS =
  'p br hr div pre i em b strong u sup sub ul ol li blockquote h2 h3 h4 dl dt dd table caption thead tbody tr th td a'.split(' ');
/** Elements that separate their text from that around them. They become `div`. */
const OTHER_BLOCKS = 'section article main header footer aside nav address figure figcaption details summary center'.split(' ');

/**
 * Returns sanitized HTML without illegible characters. Plain text is escaped, and keeps its paragraphs, line breaks and lists;
 * markup that is nested too deeply to be parsed becomes escaped text. `toId` returns the ID on the page for one in the text, or
 * undefined to leave it out; without it, there are none.
 */
export function toSafeHtml(html: string, resolve: ResolveLink, toId?: ToId): string {
  if (!/[<&]/.test(html)) return textToHtml(html);
  if (markup.isTooDeeplyNested(html)) return markup.escapeHtml(toLegible(markup.stripTags(html)));
  return addParagraphs(sanitize(markup.escapeUnknownTags(cutHidden(html)), resolve, toId ? { '*': ['id'] } : {}, toId), html);
}

/** Returns the ID that an element gets on the page; undefined for none. */
type ToId = (id: string) => string | undefined;

/** Attributes with which notes and headings of own pages are linked. */
const OWN_ATTRIBUTES = Object.fromEntries(['h2', 'h3', 'h4', 'li', 'a'].map((name) => [name, ['id', 'aria-label']]));

/**
 * Returns the sanitized HTML of an operator's Markdown: like `toSafeHtml`, with the IDs of headings and notes. `toId` returns the
 * ID on the page for one in the text.
 */
export function toSafeOwnHtml(html: string, resolve: ResolveLink, toId: ToId): string {
  if (markup.isTooDeeplyNested(html)) return markup.escapeHtml(toLegible(markup.stripTags(html)));
  return sanitize(html, resolve, OWN_ATTRIBUTES, toId, ['del']);
}

function sanitize(
  html: string,
  resolve: ResolveLink,
  attributes: Readonly<Record<string, string[]>>,
  toId: ToId = () => undefined,
  more: readonly string[] = [],
): string {
  const allowedTags = new Set([...ALLOWED_TAGS, ...more]);
  const nonTextTags = markup.nonTextElements(html);
  const safe = sanitizeHtml(html, {
    // An element that is not allowed remains as a span if it is the target of a link.
    allowedTags: [...allowedTags, ...(attributes['*'] ? ['span'] : [])],
    allowedAttributes: { ...attributes, a: ['href', 'rel', ...(attributes['a'] ?? [])] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags,
    transformTags: {
      ...Object.fromEntries(OTHER_BLOCKS.map((name) => [name, 'div'])),
      h1: 'h2',
      h5: 'h4',
      h6: 'h4',
      a: (tagName, { href, rel: _, name, ...others }): sanitizeHtml.Tag => {
        const named = name === undefined ? others : { id: name, ...others };
        const target = href === undefined ? undefined : resolve(href);
        if (!target) return { tagName, attribs: named };
        return { tagName, attribs: { ...named, href: target.href, ...(target.external ? { rel: 'external noreferrer' } : {}) } };
      },
      '*': (tagName, { id, ...others }): sanitizeHtml.Tag => {
        const own = id === undefined || nonTextTags.includes(tagName) ? undefined : toId(id);
        if (own === undefined) return { tagName, attribs: others };
        return { tagName: attributes['*'] && !allowedTags.has(tagName) ? 'span' : tagName, attribs: { ...others, id: own } };
      },
    },
  });
  return markup.tightenSpaces(toLegible(safe)); // escapes such as &#x202e; are decoded now
}

/** Returns a value as JSON for a script element: nothing in it can end the element. */
export const escapeScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Returns a link as safe HTML. `attributes` must be safe already. */
export function safeLink(text: string, href: string, attributes = ''): string {
  return `<a href="${markup.escapeHtml(href)}"${attributes}>${markup.escapeHtml(text)}</a>`;
}
