import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateWidth, type LabelPosition, placeLabels } from './map-labels.ts';

const FRAME = { width: 500, height: 300 };

/** Returns the left, top, right and bottom of a label. */
function boxOf({ x, y, anchor }: LabelPosition, label: string): [number, number, number, number] {
  const width = estimateWidth(label);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return [left, y - 14, left + width, y + 4];
}

const mark = fc.record({
  x: fc.double({ min: 0, max: 500, noNaN: true }),
  y: fc.double({ min: 0, max: 300, noNaN: true }),
  radius: fc.integer({ min: 11, max: 25 }),
  count: fc.integer({ min: 1, max: 9 }),
  label: fc.string({ minLength: 1, maxLength: 20 }),
});

it('places no label on a mark, on another label, or outside the map', () => {
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 40 }), (marks) => {
      const boxes = placeLabels(marks, FRAME).map((at, i) => at && boxOf(at, marks[i]?.label ?? ''));
      for (const [i, box] of boxes.entries()) {
        if (!box) continue;
        const [left, top, right, bottom] = box;
        expect([left >= 0, top >= 0, right <= 500, bottom <= 300]).toEqual([true, true, true, true]);
        for (const { x, y, radius } of marks) {
          const [nearX, nearY] = [Math.max(left, Math.min(x, right)), Math.max(top, Math.min(y, bottom))];
          expect(Math.hypot(nearX - x, nearY - y)).toBeGreaterThan(radius);
        }
        for (const [l, t, r, b] of boxes.slice(i + 1).flatMap((other) => (other ? [other] : [])))
          expect(left >= r || right <= l || top >= b || bottom <= t).toBe(true);
      }
    }),
  );
});

const at = (x: number, y: number, label = 'Quay', count = 1) => ({ x, y, radius: 12, count, label });

it('places a label on the right, or else on the left, above or below', () => {
  const anchors = (...marks: ReturnType<typeof at>[]) => placeLabels(marks, FRAME).map((position) => position?.anchor);
  expect(anchors(at(250, 150))).toEqual(['start']);
  expect(anchors(at(485, 150))).toEqual(['end']);
  expect(anchors(at(250, 150), at(285, 150), at(215, 150))).toEqual(['middle', 'start', 'end']);
});

it('leaves out the label of the mark with fewer records if both do not fit', () => {
  const labels = (...counts: [number, number]) =>
    placeLabels([at(20, 20, 'A long name', counts[0]), at(180, 20, 'A long name', counts[1])], { width: 200, height: 40 });
  expect(labels(1, 5).map((position) => position?.anchor)).toEqual([undefined, 'end']);
  expect(labels(5, 1).map((position) => position?.anchor)).toEqual(['start', undefined]);
});

it('estimates the widths of letters and of Japanese characters', () => {
  expect(estimateWidth('Will')).toBeLessThan(estimateWidth('Moon'));
  expect(estimateWidth('島の港')).toBe(45);
  expect(estimateWidth('e\u0301')).toBe(estimateWidth('e'));
});
