/** Merges places that are too close on a map to be distinguished. Used by the build, and when a reader zooms. */
import { formFor, type PluralForms } from './plural-forms.ts';

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
  count: number;
}

/** Templates of a mark's name: for a place with `{n}` records, and for several places. `{label}` is the mark's label. */
export interface MarkNames {
  language: string;
  place: PluralForms;
  group: string;
}

/** Returns the name of a mark. */
export function nameMark(
  { language, place, group }: MarkNames,
  { label, places, count }: { label: string; places: number; count: number },
  formatNumber: (n: number) => string,
): string {
  const template = places > 1 ? group : formFor(place, count, language);
  const values: Readonly<Record<string, string>> = { label: labelMark(label, places, formatNumber), n: formatNumber(count) };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Returns the label of a mark on the map: the first of its places, and how many others there are. */
export function labelMark(label: string, places: number, formatNumber: (n: number) => string): string {
  return places > 1 ? `${label} +${formatNumber(places - 1)}` : label;
}

/** Between two marks. */
const MIN_GAP = 4;
/** Half of the width of a digit in a mark, and its part of the space around the number. */
const DIGIT_WIDTH = 5;
/** Radius of a mark without and with the most records. */
const [MIN_RADIUS, MAX_RADIUS] = [11, 17];

/**
 * Returns the marks of points, those with the most records first. `points` are sorted like that. Points whose marks would touch
 * are merged, and once there are `maxMarks`, further points join the nearest one.
 */
export function clusterPoints<Point extends MapPoint>(points: readonly Point[], maxMarks: number): Array<Cluster<Point>> {
  // The largest mark that there can be has all records.
  const minDistance = 2 * Math.max(MAX_RADIUS, minRadius(countRecords(points))) + MIN_GAP;
  const marks: Array<{ x: number; y: number; points: Point[] }> = [];
  for (const point of points) {
    const { x, y } = point;
    const distance = (mark: Pick<MapPoint, 'x' | 'y'>) => Math.hypot(mark.x - x, mark.y - y);
    const nearest = marks.reduce<(typeof marks)[number] | undefined>(
      (best, mark) => (best && distance(best) <= distance(mark) ? best : mark),
      undefined,
    );
    if (nearest && (distance(nearest) < minDistance || marks.length >= maxMarks)) nearest.points.push(point);
    else marks.push({ x, y, points: [point] });
  }
  const counts = marks.map((mark) => countRecords(mark.points));
  const maxCount = Math.max(1, ...counts);
  return marks.map(({ x, y, points: own }, i): Cluster<Point> => {
    const count = counts[i] ?? 0;
    const byCount = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(count / maxCount);
    const radius = Math.round(10 * Math.max(byCount, minRadius(count))) / 10;
    return { x, y, radius, points: own, count };
  });
}

const countRecords = (points: readonly MapPoint[]): number => points.reduce((total, { count }) => total + count, 0);

/** Returns the radius that a number needs. */
const minRadius = (count: number): number => DIGIT_WIDTH * String(count).length;
