/** The site in few files: pages and thumbnails that stand in packs, and links that find them there. For sticks, on which every file takes a whole cluster. */
import { posix } from 'node:path';
import { Parser } from 'htmlparser2';
import { isPackedPage, isPackedThumb, VIEWER } from '../client/compact-names.ts';
import { escapeHtml } from '../site/sanitize.ts';
import { type Cut, spliced } from './splice.ts';

/** Attributes of our pages that name a file. */
const NAMING = new Set(['href', 'src', 'poster', 'action', 'data-viewer', 'data-tiles', 'data-root', 'data-top']);
/** One transparent pixel, until the thumbnail comes out of its pack. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** A page with its links and thumbnails as they are in a compact site. A packed page is shown from the site's first folder. */
export function compactPage(html: string, path: string): string {
  const folder = isPackedPage(path) ? '.' : posix.dirname(path);
  const up = folder === '.' ? '' : '../'.repeat(folder.split('/').length);
  const cuts: Cut[] = [];
  let thumbs = path.endsWith('search.html');
  let headEnd: number | undefined;
  const parser = new Parser({
    onattribute(name, value) {
      if (!NAMING.has(name)) return;
      const attributes = inCompactSite(name, value, path, up);
      if (attributes === undefined) return;
      if ('data-thumb' in attributes) thumbs = true;
      const text = Object.entries(attributes).map(([key, said]) => `${key}="${escapeHtml(said)}"`);
      // `endIndex` is that of the closing quote; an attribute without quotes ends before it.
      const { startIndex, endIndex } = parser;
      const to = /["']/.test(html.charAt(endIndex)) ? endIndex + 1 : endIndex;
      cuts.push({ from: startIndex, to, html: text.join(' ') });
    },
    onclosetag(name) {
      if (name === 'head') headEnd ??= parser.startIndex;
    },
  });
  parser.end(html);
  if (thumbs && headEnd !== undefined)
    cuts.push({ from: headEnd, to: headEnd, html: `<script defer src="${up}assets/thumbs.js"></script>` });
  return spliced(html, cuts);
}

/** What stands in place of an attribute that names a file; undefined where it stays as it is. */
function inCompactSite(name: string, value: string, path: string, up: string): Record<string, string> | undefined {
  if (/^(?:#|[a-z][a-z0-9+.-]*:|\/\/|$)/i.test(value)) return undefined;
  const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? [];
  const target = posix.join(posix.dirname(path), address);
  if (isPackedPage(target)) return { [name]: `${up}${VIEWER}?${target}${rest}` };
  if (isPackedThumb(target) && name === 'src') return { src: NOTHING, 'data-thumb': target };
  return isPackedPage(path) ? { [name]: `${target === './' ? '' : target}${rest}` } : undefined;
}
