/** Moves a map with a pointer, and enlarges it with two. */

/** A position on a drawing, in its units. */
export type Position = Record<'x' | 'y', number>;

/** The map of a page. Positions are in units of its drawing. */
export interface PlaceMap {
  svg: SVGSVGElement;
  /** Whether the map is larger than the part of it that is shown. */
  isEnlarged(): boolean;
  /** Enlarges the map by a factor. The point at `from`, or else the middle, is at `to` afterwards, or else does not move. */
  zoomAround(factor: number, from?: Position, to?: Position): void;
  /** Enlarges the map by a step: the whole map around its places, else around its middle. */
  zoomIn(): void;
  /** Moves the map by parts of its size. */
  move(x: number, y: number): void;
  showAll(): void;
}

/** Pixels that a pointer may move in a click. */
const CLICK_TOLERANCE = 4;

/** Returns the units of a drawing in a pixel. */
export function unitsPerPixel(svg: SVGSVGElement): number {
  const { width } = svg.viewBox.baseVal;
  return width / (svg.clientWidth || width);
}

/** Returns the position of an event on a drawing. */
export function positionOf({ clientX, clientY }: MouseEvent, svg: SVGSVGElement): Position {
  const { left, top } = svg.getBoundingClientRect();
  const units = unitsPerPixel(svg);
  return { x: (clientX - left) * units, y: (clientY - top) * units };
}

/** An enlarged map moves with a pointer. Two enlarge it around the point between them. A click after that opens no link. */
export function setUpPointers(map: PlaceMap): void {
  const { svg } = map;
  const pointers = new Map<number, Position>();
  let distance = 0;
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) distance = 0;
    pointers.set(event.pointerId, positionOf(event, svg));
  });
  addEventListener('pointermove', (event) => {
    if (event.buttons === 0) pointers.delete(event.pointerId); // a mouse that was released outside the window
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const position = positionOf(event, svg);
    distance = Math.max(distance, Math.hypot(position.x - last.x, position.y - last.y) / unitsPerPixel(svg));
    if (distance <= CLICK_TOLERANCE) return;
    const before = gripOf([...pointers.values()]);
    pointers.set(event.pointerId, position);
    const after = gripOf([...pointers.values()]);
    if (pointers.size > 1 || map.isEnlarged())
      map.zoomAround(before.spread > 0 ? after.spread / before.spread : 1, before.middle, after.middle);
  });
  for (const name of ['pointerup', 'pointercancel'] as const)
    addEventListener(name, ({ pointerId }) => pointers.delete(pointerId));
  preventPageZoom(svg);
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  const onClick = (event: MouseEvent) => {
    if (distance <= CLICK_TOLERANCE || event.detail === 0) return; // 0: the Enter key
    event.preventDefault();
    event.stopPropagation();
  };
  svg.addEventListener('click', onClick, { capture: true });
}

/** Returns the middle of pointers, and their mean distance from it. */
function gripOf(positions: readonly Position[]): { middle: Position; spread: number } {
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  const middle = { x: mean(positions.map(({ x }) => x)), y: mean(positions.map(({ y }) => y)) };
  return { middle, spread: mean(positions.map(({ x, y }) => Math.hypot(x - middle.x, y - middle.y))) };
}

/** Two fingers enlarge the map instead of the page, also while one finger scrolls the page. */
function preventPageZoom(svg: SVGSVGElement): void {
  const onTouch = (event: TouchEvent) => {
    if (event.touches.length > 1 && event.cancelable) event.preventDefault();
  };
  for (const name of ['touchstart', 'touchmove'] as const) svg.addEventListener(name, onTouch, { passive: false });
}
