import { describe, expect, it } from 'vitest';
import { frameByKey, placeOfLoupe } from './loupe-place.ts';

describe('a key', () => {
  const grid = { columns: 14, count: 100, isRightToLeft: false };
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowLeft', 15, 14],
    ['ArrowDown', 84, 98],
    ['ArrowUp', 98, 84],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['ArrowLeft', 0, undefined],
    ['ArrowUp', 13, undefined],
    ['ArrowDown', 86, undefined],
    ['a', 3, undefined],
  ])('%s leads from frame %i to %s', (key, at, target) => expect(frameByKey(key, at, grid)).toBe(target));

  it('leads to the frame in its direction where lines run from right to left', () => {
    const mirrored = { ...grid, isRightToLeft: true };
    expect([frameByKey('ArrowLeft', 3, mirrored), frameByKey('ArrowRight', 3, mirrored)]).toEqual([4, 2]);
  });
});

describe('the loupe', () => {
  const window = { width: 400, height: 800 };
  const loupe = { width: 300, height: 320 };
  const frameAt = (left: number, top: number) => ({ left, top, bottom: top + 50, width: 50 });

  it('is above its frame, in the middle of it', () => {
    expect(placeOfLoupe(frameAt(175, 600), loupe, window)).toEqual({ x: 50, y: 272 });
  });

  it('is below a frame at the top, and always in the window', () => {
    expect(placeOfLoupe(frameAt(0, 100), loupe, window)).toEqual({ x: 8, y: 158 });
    expect(placeOfLoupe(frameAt(350, 100), loupe, window)).toEqual({ x: 92, y: 158 });
    expect(placeOfLoupe(frameAt(0, 200), { width: 300, height: 700 }, window).y).toBe(92);
  });
});
