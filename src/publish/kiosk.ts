/** Pages for a kiosk: no link leads out of the mirror. In its place stand the words, and an address to take along, as text and as a QR code. */
import { Parser } from 'htmlparser2';
import qrcode from 'qrcode-generator';
import type { Messages } from '../site/language/en.ts';
import { escapeHtml } from '../site/sanitize.ts';
import { type Cut, spliced } from './splice.ts';

/** Longer addresses make codes that no telephone reads off a screen. */
const LONGEST = 600;
/** Modules of quiet around a code (ISO/IEC 18004). */
const QUIET = 4;

/** The page with every link that has a scheme or a host turned into a button that opens the address. All other bytes stay. */
export function withoutWayOut(html: string, words: Messages['kiosk']): string {
  const cuts: Cut[] = [];
  const addresses: string[] = [];
  let open = false;
  let main: number | undefined;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name !== 'a' || href === undefined || !leadsOut(href)) return;
      open = true;
      const known = addresses.indexOf(href);
      const number = known === -1 ? addresses.push(href) : known + 1;
      const { startIndex, endIndex } = parser;
      cuts.push({
        from: startIndex,
        to: endIndex + 1,
        html: `<button type="button" class="outside" popovertarget="outside-${number}">`,
      });
    },
    onclosetag(name) {
      if (name === 'main') main = parser.startIndex;
      if (name !== 'a' || !open) return;
      open = false;
      cuts.push({ from: parser.startIndex, to: parser.endIndex + 1, html: '</button>' });
    },
  });
  parser.end(html);
  if (cuts.length === 0) return html;
  const panels = addresses.map((address, i) => panel(address, `outside-${i + 1}`, words)).join('');
  const at = main ?? html.length;
  return spliced(html, [...cuts, { from: at, to: at, html: panels }]);
}

function leadsOut(href: string): boolean {
  return /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(href);
}

function panel(address: string, id: string, words: Messages['kiosk']): string {
  const code = qrPath(address);
  const picture =
    code === undefined
      ? ''
      : `<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="${escapeHtml(words.code)}"><rect width="${code.size}" height="${code.size}" fill="#fff"/><path d="${code.path}" stroke="#000" shape-rendering="crispEdges"/></svg>`;
  return `<div class="outside-panel" id="${id}" popover><p>${escapeHtml(words.outside)}</p>${picture}<p class="address">${escapeHtml(address)}</p><button type="button" popovertarget="${id}" popovertargetaction="hide">${escapeHtml(words.close)}</button></div>`;
}

/** A QR code (ISO/IEC 18004, error correction L) as an SVG path of strokes one module thick, with a side of `size` modules, the quiet zone included. */
export function qrPath(text: string): { path: string; size: number } | undefined {
  if (text.length > LONGEST) return undefined;
  const code = qrcode(0, 'L');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let y = 0; y < count; y++) {
    let pen: number | undefined;
    for (let x = 0; x < count; x++) {
      if (!code.isDark(y, x)) continue;
      const begun = x;
      while (x + 1 < count && code.isDark(y, x + 1)) x++;
      path += pen === undefined ? `M${begun + QUIET} ${y + QUIET}.5` : `m${begun - pen} 0`;
      pen = x + 1;
      path += `h${pen - begun}`;
    }
  }
  return { path, size: count + 2 * QUIET };
}
