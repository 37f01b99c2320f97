/** Makes pages safe for a kiosk: an external link becomes a button that shows its URL as text and as a QR code. */
import { Parser } from 'htmlparser2';
import { qrPath } from '../formats/qr-path.ts';
import { escapeHtml } from '../model/text/markup.ts';
import type { Dictionary } from '../site/language/locale.ts';
import { type Replacement, replaceRanges } from './replace-ranges.ts';

/** Returns a page in which every link with a scheme or a host is a button. All other bytes are unchanged. */
export function replaceExternalLinks(html: string, texts: Dictionary['kiosk']): string {
  const replacements: Replacement[] = [];
  const urls: string[] = [];
  let isInLink = false;
  let mainEnd: number | undefined;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name !== 'a' || href === undefined || !EXTERNAL.test(href)) return;
      isInLink = true;
      const known = urls.indexOf(href);
      const number = known === -1 ? urls.push(href) : known + 1;
      const { startIndex, endIndex } = parser;
      replacements.push({
        from: startIndex,
        to: endIndex + 1,
        html: `<button type="button" class="outside" popovertarget="outside-${number}">`,
      });
    },
    onclosetag(name) {
      if (name === 'main') mainEnd = parser.startIndex;
      if (name !== 'a' || !isInLink) return;
      isInLink = false;
      replacements.push({ from: parser.startIndex, to: parser.endIndex + 1, html: '</button>' });
    },
  });
  parser.end(html);
  if (replacements.length === 0) return html;
  const panelsHtml = urls.map((url, i) => renderPanel(url, `outside-${i + 1}`, texts)).join('');
  const insertAt = mainEnd ?? html.length;
  return replaceRanges(html, [...replacements, { from: insertAt, to: insertAt, html: panelsHtml }]);
}

const EXTERNAL = /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;

function renderPanel(url: string, id: string, texts: Dictionary['kiosk']): string {
  const code = qrPath(url);
  const codeHtml =
    code === undefined
      ? ''
      : `<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="${escapeHtml(texts.code)}"><rect width="${code.size}" height="${code.size}" fill="#fff"/><path d="${code.path}" stroke="#000" shape-rendering="crispEdges"/></svg>`;
  return `<div class="outside-panel" id="${id}" popover><p>${escapeHtml(texts.outside)}</p>${codeHtml}<p class="address">${escapeHtml(url)}</p><button type="button" popovertarget="${id}" popovertargetaction="hide">${escapeHtml(texts.close)}</button></div>`;
}
