/** Moves the part of the world on a map, so that readers recognize a coast: islands and harbors would be dots in the sea. */
import type { Bounds, ReadLand } from './land-outlines.ts';
import { cutLand, landShare } from './land-window.ts';
import { boundsOf, type Fitted, type Frame } from './map-projection.ts';

/** As much land in the frame is enough, as a share of it. */
const ENOUGH = 0.2;
/** Degrees. A larger map always shows land. */
const MAX_SPAN = 15;

/**
 * Moves a projection that shows all points (longitude and latitude in degrees): by none or half of the space beside them, until
 * there is enough land in the frame, or else to the most land. All points remain within the padding.
 */
export function moveTowardLand(
  { projection, span }: Fitted,
  points: ReadonlyArray<[number, number]>,
  frame: Frame,
  land: ReadLand,
): void {
  if (span > MAX_SPAN) return;
  const [x = 0, y = 0] = projection.translate();
  const places = points.flatMap((point) => [projection(point) ?? [x, y]]) as Array<[number, number]>;
  const moves = movesOf(places, frame).map(([dx, dy]) => {
    const at: [number, number] = [x + dx, y + dy];
    return { at, bounds: boundsOf(projection.translate(at), { ...frame, margin: 0 }) };
  });
  const around = unite(moves.map(({ bounds }) => bounds));
  const near = cutLand(land('10m', around), around);
  let best = { share: Number.NEGATIVE_INFINITY, at: [x, y] as [number, number] };
  for (const { at, bounds } of moves) {
    if (best.share >= ENOUGH) break;
    const share = landShare(near, bounds);
    if (share > best.share) best = { share, at };
  }
  projection.translate(best.at);
}

/** Returns the smallest bounds around several. */
function unite(all: readonly Bounds[]): Bounds {
  return {
    west: Math.min(...all.map(({ west }) => west)),
    south: Math.min(...all.map(({ south }) => south)),
    east: Math.max(...all.map(({ east }) => east)),
    north: Math.max(...all.map(({ north }) => north)),
  };
}

/** Returns the moves in all directions, the shortest first. */
function movesOf(points: ReadonlyArray<[number, number]>, { width, height, padding }: Frame): Array<[number, number]> {
  const steps = (axis: 0 | 1, size: number) => {
    const values = points.map((point) => point[axis]);
    const before = Math.max(0, Math.min(...values) - padding);
    const after = Math.max(0, size - padding - Math.max(...values));
    return [0, after / 2, -before / 2];
  };
  const moves = steps(0, width).flatMap((dx) => steps(1, height).map((dy): [number, number] => [dx, dy]));
  return moves.sort(([a, b], [c, d]) => Math.hypot(a, b) - Math.hypot(c, d));
}
