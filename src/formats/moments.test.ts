import { expect, it } from 'vitest';
import { citeClip, clipBetween, findMoment, formatTime, readMoment, readTime, writeMoment } from './moments.ts';

it.each([
  ['#t=83', { start: 83, end: undefined }],
  ['#t=83.5,97', { start: 83.5, end: 97 }],
  ['#t=1:23,1:37', { start: 83, end: 97 }],
  ['#t=1:02:03', { start: 3723, end: undefined }],
  ['#t=97,83', { start: 97, end: undefined }],
  ['#t=', undefined],
  ['#t=x', undefined],
  ['#t=1:2:3:4', undefined],
  ['#play', undefined],
])('reads %s', (hash, moment) => {
  expect(readMoment(hash)).toEqual(moment);
});

it('cites a clip with its times and one address, wherever the style has the address', () => {
  const clip = 'https://mirror.example/a.html#t=0,2';
  expect(citeClip('Vane, L. Accessed May 2, 2026. https://live.example/a/.', '0:00–0:02', clip)).toBe(
    `Vane, L. Accessed May 2, 2026. ${clip} (0:00–0:02).`,
  );
  expect(citeClip('Vane. Archive, https://live.example/a. Accessed 2 May 2026.', '0:00–0:02', clip)).toBe(
    `Vane. Archive, ${clip} (0:00–0:02). Accessed 2 May 2026.`,
  );
  expect(citeClip('Vane. https://live.example/a/', '0:02', undefined)).toBe('Vane. https://live.example/a/ (0:02)');
  expect(citeClip('Vane. Archive.', '0:02', undefined)).toBe('Vane. Archive. 0:02.');
});

it('writes what it reads', () => {
  expect(writeMoment({ start: 83.04, end: 97 })).toBe('#t=83,97');
  expect(readMoment(writeMoment({ start: 83.5, end: undefined }))).toEqual({ start: 83.5, end: undefined });
  expect([formatTime(83.9), readTime(formatTime(83.9))]).toEqual(['1:23', 83]);
});

it('makes a clip of two times in either order, and a moment of equal ones', () => {
  expect(clipBetween(10, 30)).toEqual({ start: 10, end: 30 });
  expect(clipBetween(30, 10)).toEqual({ start: 10, end: 30 });
  expect(clipBetween(30, 30)).toEqual({ start: 30, end: undefined });
  expect(clipBetween(30, undefined)).toEqual({ start: 30, end: undefined });
});

it('finds when the words of a result are spoken: in its captions, but not in a transcript without times', () => {
  const result = { spoken: 'Leif: The whistle went, and the gulls knew it. … A whistle, long before.', moments: '0:0 24:61 49:' };
  expect(findMoment(result, 'whistle went')).toBe(0);
  expect(findMoment(result, 'gulls knew')).toBe(61);
  expect(findMoment(result, 'whistle, long')).toBeUndefined();
  expect(findMoment(result, 'terns')).toBeUndefined();
  expect(findMoment(result, '')).toBeUndefined();
  expect(findMoment({ spoken: 'gulls' }, 'gulls')).toBeUndefined();
});
