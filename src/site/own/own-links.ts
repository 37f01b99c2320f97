/** Links and paths in own pages, which are relative to the directory of their kind. */
import { posix } from 'node:path';
import { decodePercentStrictly } from '../../model/text/percent.ts';
import { OWN_KINDS, type OwnKind } from './own-content.ts';

/** A page in the site, and the fragment of its address with its `#`, or nothing. */
export type OwnLink = NonNullable<ReturnType<typeof resolveOwnLink>>;

/** Returns the page of an own page's relative link, or undefined. It may name the page's Markdown, in any language. */
export function resolveOwnLink(href: string, kind: OwnKind) {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(href)) return undefined;
  const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(href) ?? [];
  const decoded = decodePercentStrictly(path);
  if (decoded === undefined) return undefined;
  return {
    /** Relative to the top of the locale's pages. */
    path: posix.normalize(posix.join(kind, decoded)).replace(MARKDOWN, '$1/$2.html'),
    fragment,
  };
}

/** A text in a directory of its kind, or in that of a language below it. */
const MARKDOWN = new RegExp(`^(${OWN_KINDS.join('|')})/(?:[a-z]{2}/)?([^/.]+)(?:\\.[a-z]{2})?\\.md$`);

/**
 * Returns the path of an image below the directory of the content, from the path in the text of an entry. Undefined for one that
 * is not among the own pages, because the directory can have the snapshot too, and for a hidden one.
 */
export function pathInContent(kind: OwnKind, entry: string, src: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(src)) return undefined;
  const decoded = decodePercentStrictly(src);
  if (decoded === undefined) return undefined;
  const path = posix.normalize(posix.join(kind, posix.dirname(entry), decoded));
  const [directory = '', ...rest] = path.split('/');
  const isOwn = OWN_KINDS.some((name) => name === directory) && rest.length > 0;
  return isOwn && !path.includes('\\') && !rest.some((name) => name.startsWith('.')) ? path : undefined;
}
