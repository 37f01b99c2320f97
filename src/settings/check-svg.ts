/** Checks the SVG images of a design and of notices. In a page, they run nothing; but a reader can open one by itself. */
import { toPrintable } from '../platform/text-lines.ts';
import { findHtmlReferences } from '../publish/references.ts';
import { scanMarkup } from '../publish/scan-markup.ts';

/** Elements that run, or show what is not SVG. */
const ACTIVE = /^(?:script|foreignobject|iframe|object|embed|handler|listener)$/;

/** Returns what is wrong with an SVG image, as a sentence's end after its file name; undefined if it only draws. */
export function svgProblem(bytes: Buffer): string | undefined {
  const svg = bytes.toString('utf8');
  if (!/<(?:[\w-]+:)?svg\b/i.test(svg)) return ' is not plain SVG in UTF-8. Save it as that, or as PNG.';
  const active = findActive(svg);
  if (active !== undefined) return ` has ${active}, and images may only draw. Remove it, or save the image as PNG.`;
  for (const { href, use } of findHtmlReferences(svg, { xml: true }).references) {
    if (use === 'network') return ` has ${href}, which may load a file. Save the image as plain SVG, or as PNG.`;
    const isWithin = href.startsWith('#') || (use === 'load' && /^data:/i.test(href));
    const isLink = use === 'link' && /^https?:/i.test(href);
    if (!isWithin && !isLink) return ` refers to ${toPrintable(href, 200)}. Embed what it shows, or save the image as PNG.`;
  }
  return undefined;
}

/** Returns the first element or attribute that runs something. */
function findActive(svg: string): string | undefined {
  let found: string | undefined;
  scanMarkup(
    svg,
    { xml: true, foreign: true },
    {
      onTag(name, attributes) {
        if (ACTIVE.test(name)) found ??= `the element ${toPrintable(name, 40)}`;
        const [handler] = attributes.find(([attribute]) => attribute.startsWith('on')) ?? [];
        if (handler !== undefined) found ??= `the attribute ${toPrintable(handler, 40)}`;
      },
      onRawText: () => undefined,
      onInstruction: () => undefined,
    },
  );
  return found;
}
