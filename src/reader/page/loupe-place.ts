/** Where the loupe of a fiche goes: to another frame by a key, and to a place in the window. */

/** Returns the frame, from 0, to which a key leads from the one `at`, in rows that continue on the next sheet; or undefined. */
export function frameByKey(
  key: string,
  at: number,
  { columns, count, isRightToLeft }: { columns: number; count: number; isRightToLeft: boolean },
): number | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: at + forward,
    ArrowLeft: at - forward,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || target < 0 || target >= count ? undefined : target;
}

/** A length across and down, in CSS pixels. */
type Extent = Pick<DOMRect, 'width' | 'height'>;

/** CSS pixels between the loupe, its frame, and the edges of the window. */
const GAP = 8;

/** Returns the left upper corner of the loupe: above its frame, or below it if there is more room, and in the window. */
export function placeOfLoupe(
  frame: Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width'>,
  loupe: Extent,
  window: Extent,
): { x: number; y: number } {
  const within = (start: number, size: number, room: number) => Math.max(GAP, Math.min(start, room - size - GAP));
  const above = frame.top - loupe.height - GAP;
  const isAbove = above >= GAP || frame.top > window.height - frame.bottom;
  return {
    x: within(frame.left + (frame.width - loupe.width) / 2, loupe.width, window.width),
    y: within(isAbove ? above : frame.bottom + GAP, loupe.height, window.height),
  };
}
