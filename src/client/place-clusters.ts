/** Merges places that are too close together on a map to be distinguished. Used when the page is rendered, and when a reader zooms. */

/** Places at one position. Positions are in units of the drawing. */
export interface MapPoint {
  x: number;
  y: number;
  /** The number of records. */
  count: number;
  /** Of the place with the most records. */
  label: string;
}

/** A mark on the map. */
export interface Cluster<Point extends MapPoint> {
  x: number;
  y: number;
  radius: number;
  /** The one with the most records first. */
  points: Point[];
  /** The number of records. */
  count: number;
  /** Whether there is space for the label beside it. */
  isLabeled: boolean;
}

/** Templates of the name of a mark: for a place with 1 or `{n}` records, and for `{places}` places. */
export interface MarkNames {
  one: string;
  many: string;
  group: string;
}

/** Returns the name of a mark. */
export function nameMark(
  { one, many, group }: MarkNames,
  { label, places, count }: { label: string; places: number; count: number },
  formatNumber: (n: number) => string,
): string {
  const template = places > 1 ? group : count === 1 ? one : many;
  const values: Readonly<Record<string, string>> = { label, places: formatNumber(places), n: formatNumber(count) };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Marks closer than this are merged. */
const MIN_DISTANCE = 30;
/** Half of the width of a digit in a mark, and its part of the space around the number. */
const DIGIT_WIDTH = 5;
/** Radius of a mark without and with the most records. */
const [MIN_RADIUS, MAX_RADIUS] = [11, 17];

/**
 * Returns the marks of points, those with the most records first. `points` are sorted like that. Once there are `maxMarks`, further points join the
 * nearest one. A label ends before `width`.
 */
export function clusterPoints<Point extends MapPoint>(
  points: readonly Point[],
  { width, maxMarks }: { width: number; maxMarks: number },
): Array<Cluster<Point>> {
  const marks: Array<{ x: number; y: number; points: Point[] }> = [];
  for (const point of points) {
    const { x, y } = point;
    const distance = (mark: MarkPosition) => Math.hypot(mark.x - x, mark.y - y);
    const nearest = marks.reduce<(typeof marks)[number] | undefined>(
      (best, mark) => (best && distance(best) <= distance(mark) ? best : mark),
      undefined,
    );
    if (nearest && (distance(nearest) < MIN_DISTANCE || marks.length >= maxMarks)) nearest.points.push(point);
    else marks.push({ x, y, points: [point] });
  }
  const counts = marks.map((mark) => mark.points.reduce((total, { count }) => total + count, 0));
  const maxCount = Math.max(1, ...counts);
  const labels: Box[] = marks.map(({ x, y }) => [x - MIN_RADIUS, y - MIN_RADIUS, x + MIN_RADIUS, y + MIN_RADIUS]);
  return marks.map(({ x, y, points: own }, i): Cluster<Point> => {
    const count = counts[i] ?? 0;
    const byCount = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(count / maxCount);
    const radius = Math.round(10 * Math.max(byCount, DIGIT_WIDTH * String(count).length)) / 10;
    return { x, y, radius, points: own, count, isLabeled: placeLabel(labels, x + radius, y, own[0]?.label ?? '', width) };
  });
}

type MarkPosition = Pick<MapPoint, 'x' | 'y'>;
type Box = [left: number, top: number, right: number, bottom: number];

/** Reserves space for a label beside a mark. Returns false if a mark or another label is there. Widths are estimated from the number of letters. */
function placeLabel(taken: Box[], x: number, y: number, label: string, width: number): boolean {
  const letterWidth = /[\u3000-\u9fff\uac00-\ud7af]/.test(label) ? 15 : 8.5;
  const box: Box = [x + 2, y - 10, x + 8 + label.length * letterWidth, y + 10];
  if (box[2] > width || taken.some(([l, t, r, b]) => box[0] < r && box[2] > l && box[1] < b && box[3] > t)) return false;
  taken.push(box);
  return true;
}
