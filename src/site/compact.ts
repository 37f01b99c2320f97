/** The site in few files: pages and thumbnails that stand in packs, and links that find them there. For sticks, on which every file takes a whole cluster. */
import { posix } from 'node:path';
import { isPackedPage, isPackedThumb, VIEWER } from './compact-names.ts';

/** Attributes of our pages that name a file. */
const NAMING = /( (?:href|src|poster|action|data-viewer|data-tiles|data-root|data-top)=")([^"]*)"/g;
/** One transparent pixel, until the thumbnail comes out of its pack. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** A page with its links and thumbnails as they are in a compact site. A packed page is shown from the site's first folder. */
export function compactPage(html: string, path: string): string {
  const folder = isPackedPage(path) ? '.' : posix.dirname(path);
  const up = folder === '.' ? '' : '../'.repeat(folder.split('/').length);
  let thumbs = path.endsWith('search.html');
  const rewritten = html.replace(NAMING, (whole, before: string, value: string) => {
    if (/^(?:#|[a-z][a-z0-9+.-]*:|\/\/|$)/i.test(value)) return whole;
    const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? [];
    const target = posix.join(posix.dirname(path), address);
    if (isPackedPage(target)) return `${before}${up}${VIEWER}?${target}${rest}"`;
    if (isPackedThumb(target) && before === ' src="') {
      thumbs = true;
      return `${before}${NOTHING}" data-thumb="${target}"`;
    }
    return isPackedPage(path) ? `${before}${target === './' ? '' : target}${rest}"` : whole;
  });
  return thumbs ? rewritten.replace('</head>', `<script defer src="${up}assets/thumbs.js"></script></head>`) : rewritten;
}
