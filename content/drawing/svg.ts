/** Elements of SVG for the drawings. A paint is a color, or a gray from 0 (black) to 1. */

type Paint = string | number;

const toColor = (paint: Paint) => (typeof paint === 'string' ? paint : `hsl(0,0%,${Math.min(100, Math.max(0, paint * 100))}%)`);

/** A filled path. */
export const shape = (path: string, fill: Paint, opacity = 1) =>
  `<path d="${path}" fill="${toColor(fill)}" opacity="${opacity}"/>`;
/** A line along a path. */
export const line = (path: string, stroke: Paint, width: number, opacity = 1) =>
  `<path d="${path}" stroke="${toColor(stroke)}" stroke-width="${width}" opacity="${opacity}" fill="none" stroke-linecap="round"/>`;
/** An upright rectangle. */
export const box = (x: number, y: number, w: number, h: number, fill: Paint) => shape(`M${x} ${y}h${w}v${h}h${-w}z`, fill);
/** An ellipse around a place. */
export const oval = (x: number, y: number, rx: number, ry: number, fill: Paint, opacity = 1) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${toColor(fill)}" opacity="${opacity}"/>`;
/** Elements drawn by number. */
export const many = (count: number, draw: (n: number) => string) => Array.from({ length: count }, (_, n) => draw(n)).join('');
/** Elements moved to a place; `more` are further transformations. */
export const move = (x: number, y: number, elements: string, more = '') =>
  `<g transform="translate(${x} ${y}) ${more}">${elements}</g>`;
/** Elements behind a blur of some units. */
export const blur = (elements: string, by: number) =>
  `<filter id="blur${by}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${by}"/></filter><g filter="url(#blur${by})">${elements}</g>`;
