/** Rewrites pages for a compact build, which has pages and thumbnails in packs. */
import { posix } from 'node:path';
import { Parser } from 'htmlparser2';
import { isPackedPage, isPackedThumbnail, VIEWER_PAGE } from '../formats/compact-names.ts';
import { escapeHtml } from '../model/text/markup.ts';
import { type Replacement, replaceRanges } from './replace-ranges.ts';

/** Attributes of our pages whose value is a path. */
const FILE_ATTRIBUTES = new Set([
  'href',
  'src',
  'poster',
  'action',
  'data-viewer',
  'data-tiles',
  'data-larger',
  'data-src',
  'data-root',
  'data-top',
]);
/** Shown until the thumbnail is read from its pack. */
const TRANSPARENT_PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Returns a page with the links and thumbnails of a compact build. A page in a pack is shown by one at the site's top. */
export function compactPage(html: string, path: string): string {
  const directory = isPackedPage(path) ? '.' : posix.dirname(path);
  const up = directory === '.' ? '' : '../'.repeat(directory.split('/').length);
  const replacements: Replacement[] = [];
  let hasThumbs = /(?:search|saved)\.html$/.test(path); // a script adds them
  let headEnd: number | undefined;
  let isRefresh = false;
  let isData = false;
  const parser = new Parser({
    onopentagname() {
      [isRefresh, isData] = [false, false];
    },
    onattribute(name, value) {
      if (name === 'http-equiv') isRefresh = value === 'refresh';
      if (name === 'type') isData = value === 'application/json';
      const isTarget = isRefresh && name === 'content';
      if (!FILE_ATTRIBUTES.has(name) && !isTarget) return;
      const replacement = isTarget ? replaceRefresh(value, path, up) : replaceAttribute(name, value, path, up);
      if (replacement === undefined) return;
      if ('data-thumb' in replacement) hasThumbs = true;
      const text = Object.entries(replacement).map(([key, newValue]) => `${key}="${escapeHtml(newValue)}"`);
      // `endIndex` is that of the closing quote; an attribute without quotes ends before it.
      const { startIndex, endIndex } = parser;
      const to = /["']/.test(html.charAt(endIndex)) ? endIndex + 1 : endIndex;
      replacements.push({ from: startIndex, to, html: text.join(' ') });
    },
    ontext(text) {
      if (!isData) return;
      // The links that a script makes, such as those of the map.
      for (const { index, 0: all, 1: href = '' } of text.matchAll(/"href":"([^"\\]*)"/g)) {
        const replaced = replaceAttribute('href', href, path, up)?.['href'];
        const from = parser.startIndex + index;
        if (replaced !== undefined)
          replacements.push({ from, to: from + all.length, html: `"href":${JSON.stringify(replaced)}` });
      }
    },
    onclosetag(name) {
      isData = false;
      if (name === 'head') headEnd ??= parser.startIndex;
    },
  });
  parser.end(html);
  if (hasThumbs && headEnd !== undefined)
    replacements.push({ from: headEnd, to: headEnd, html: `<script defer src="${up}assets/packed-thumbnails.js"></script>` });
  return replaceRanges(html, replacements);
}

/** Returns the attribute that replaces the target of a page that takes readers to another one. */
function replaceRefresh(value: string, path: string, up: string): Record<string, string> | undefined {
  const [, start = '', target = ''] = /^(\d+; url=)(.+)$/.exec(value) ?? [];
  const replaced = replaceAttribute('content', target, path, up)?.['content'];
  return replaced === undefined ? undefined : { content: `${start}${replaced}` };
}

/** Returns the attributes that replace one; undefined if it is not changed. */
function replaceAttribute(name: string, value: string, path: string, up: string): Record<string, string> | undefined {
  if (/^(?:#|[a-z][a-z0-9+.-]*:|\/\/|$)/i.test(value)) return undefined;
  const [, filePath = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? [];
  const target = posix.join(posix.dirname(path), filePath);
  if (isPackedPage(target)) return { [name]: `${up}${VIEWER_PAGE}?${target}${rest}` };
  if (isPackedThumbnail(target) && name === 'src') return { src: TRANSPARENT_PIXEL, 'data-thumb': target };
  return isPackedPage(path) ? { [name]: `${target === './' ? '' : target}${rest}` } : undefined;
}
