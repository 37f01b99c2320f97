/** Places labels beside the marks of a map, covering no mark or other label. Used by the build, and when a reader zooms. */

/** A mark that may have a label. Sizes are in units of the drawing. */
export interface LabeledMark {
  x: number;
  y: number;
  radius: number;
  label: string;
  /** The number of records: marks with more get their labels first. */
  count: number;
}

/** Where a label is: the start, middle or end of its baseline. */
export interface LabelPosition {
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** The part of the drawing in which labels must be. */
interface Frame {
  width: number;
  height: number;
  /** What can be seen above and below it. */
  margin?: number;
}

/** Of the font in the style sheet, with its outline. */
const FONT_SIZE = 15;
const [ASCENT, DESCENT] = [15, 5];
/** From the center of a line of text down to its baseline. */
const HALF_LINE = 5;
/** Between a mark and its label. */
const GAP = 5;
/** Around marks: their outline. */
const OUTLINE = 1.5;

/** Returns the positions of labels in the order of the marks; undefined for those without room. It is deterministic. */
export function placeLabels(marks: readonly LabeledMark[], frame: Frame): Array<LabelPosition | undefined> {
  const taken = marks.map(({ x, y, radius: own }): Box => {
    const radius = own + OUTLINE;
    return [x - radius, y - radius, x + radius, y + radius];
  });
  const positions: Array<LabelPosition | undefined> = marks.map(() => undefined);
  const byCount = marks.map((mark, i) => ({ mark, i })).sort((a, b) => b.mark.count - a.mark.count || a.i - b.i);
  for (const { mark, i } of byCount) {
    const width = estimateWidth(mark.label);
    for (const position of positionsAround(mark)) {
      const box = boxOfLabel(position, width);
      if (!isInside(box, frame) || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      positions[i] = position;
      break;
    }
  }
  return positions;
}

/** Returns the positions of the label of a mark, the best one first: beside it, above and below, and at its corners. */
function positionsAround({ x, y, radius }: LabeledMark): LabelPosition[] {
  const aside = radius + GAP;
  const corner = 0.7 * radius + GAP / 2;
  const [above, below] = [y - radius - GAP - OUTLINE, y + radius + GAP / 2 + ASCENT];
  return [
    { x: x + aside, y: y + HALF_LINE, anchor: 'start' },
    { x: x - aside, y: y + HALF_LINE, anchor: 'end' },
    { x, y: above, anchor: 'middle' },
    { x, y: below, anchor: 'middle' },
    { x: x + corner, y: y - corner - DESCENT, anchor: 'start' },
    { x: x + corner, y: y + corner + ASCENT, anchor: 'start' },
    { x: x - corner, y: y - corner - DESCENT, anchor: 'end' },
    { x: x - corner, y: y + corner + ASCENT, anchor: 'end' },
  ];
}

type Box = [left: number, top: number, right: number, bottom: number];

function boxOfLabel({ x, y, anchor }: LabelPosition, width: number): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return [left, y - ASCENT, left + width, y + DESCENT];
}

function isInside([left, top, right, bottom]: Box, { width, height, margin = 0 }: Frame): boolean {
  return left >= 0 && top >= -margin && right <= width && bottom <= height + margin;
}

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/** Widths of characters in a wide font of interfaces, in parts of the font size: those of a class have at most this width. */
const WIDTHS: ReadonlyArray<readonly [RegExp, number]> = [
  [/\p{M}/u, 0],
  [/[fijlrtI.,:;'’|!() ‹›/-]/, 0.42],
  [/[MWmw@%—…Œœ]/, 1],
  [/\p{Lu}/u, 0.79],
  [/[\p{Ll}\p{N}]/u, 0.65],
  [/[\p{P}\p{S}]/u, 0.85],
];
/** Of all other characters, such as those of Japanese. */
const MAX_WIDTH = 1;

/** Returns a label's width, a little more than in usual fonts: builds have no fonts to measure it, and must be the same. */
export function estimateWidth(label: string): number {
  const widthOf = (character: string) => WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? MAX_WIDTH;
  return FONT_SIZE * Array.from(label).reduce((total, character) => total + widthOf(character), 0);
}
