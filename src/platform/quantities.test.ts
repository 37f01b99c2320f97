import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, parseDuration } from './quantities.ts';

describe('parseDuration', () => {
  it.each([
    ['00:02', 2],
    ['12:34', 754],
    ['01:02:03', 3723],
    ['754.21', 754.21],
    [2, 2],
  ])('parses %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    ['62 minutes', 3720],
    ['62 mins.', 3720],
    ['2 hrs. 5 min.', 7500],
    ['2 hours, 5 minutes and 10 seconds', 7510],
    ['1h 02m 03s', 3723],
    ['1h2m', 3720],
    ['1 hr', 3600],
    ['1.5 hours', 5400],
    ['1½ hours', 5400],
    ['1 1/2 hrs', 5400],
    ['½ hour', 1800],
    ['1,200 minutes', 72_000],
    ['Two hours', 7200],
    ['approximately 62 minutes', 3720],
    ['1 videocassette (62 min.)', 3720],
    ['1 film reel (8 min., 16 mm)', 480],
    ['62-minute recording', 3720],
    ['PT1H2M', 3720],
    ['PT62M3.5S', 3723.5],
    ['P0DT1H', 3600],
    ['62 minutos', 3720],
    ['1 hora y 5 minutos', 3900],
    ['1,5 horas', 5400],
    ['2 h 5 min', 7500],
    ['Duración: 62 min', 3720],
    ['1時間2分3秒', 3723],
    ['６２分', 3720],
    ['約62分間', 3720],
    ['録音時間：1時間5分', 3900],
    ['01:02:03:15', 3723],
    ['01:02:03;15', 3723],
    ['120:15', 7215],
    ['1 video file: 1:02:03', 3723],
    ['1 sound cassette (58:12)', 3492],
    ['Duration: 58:12', 3492],
  ])('reads %j', (text, seconds) => expect(parseDuration(text)).toBeCloseTo(seconds, 6));

  it.each([
    '60-90 minutes',
    '60 to 90 min.',
    'de 60 a 90 minutos',
    '60〜90分',
    '3 audiocassettes (60 min. each)',
    '3 cintas de 60 min. cada una',
    'カセット3本 各60分',
    'more than 2 hours',
    'an hour and 5 minutes',
    '2 tapes (60 min., 45 min.)',
    '62 m',
    '16 mm',
    '12:75',
    '1:75:00',
    '2010-06-02 10:30:00',
    'recorded at 10:30:00 pm',
    '00:10:00-00:20:00',
    '4 x 5 in.',
    '8 min.'.padEnd(600, '.'),
  ])('does not guess from %j', (text) => expect(parseDuration(text)).toBeUndefined());

  it('reads any text or not, without an error and in milliseconds', () => {
    const piece = fc.constantFrom('1', '62', ' ', 'min', 'hours', '.', ':', '時間', '分', 'PT', 'H', '½', '-', '/', '(', 'and');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          // Not the time on the clock: other programs may be running.
          const before = process.threadCpuUsage();
          const seconds = parseDuration(text);
          const { user, system } = process.threadCpuUsage(before);
          expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true);
          expect(user + system).toBeLessThan(20_000); // microseconds
        },
      ),
    );
  });

  it.each(['', 'an hour', null, undefined, '1:2', {}])('returns undefined for %j', (value) =>
    expect(parseDuration(value)).toBeUndefined(),
  );

  it('parses what formatDuration returns', () => {
    fc.assert(
      fc.property(fc.nat({ max: 360_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});

it.each(['9'.repeat(400), `${'9'.repeat(400)}:00:00`])('returns undefined for an infinite duration', (value) =>
  expect(parseDuration(value)).toBeUndefined(),
);

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1536, '1.5 KB'],
    [20_480, '20.5 KB'],
    [99_949, '99.9 KB'],
    [99_950, '100 KB'],
    [5_000_000, '5.0 MB'],
    [123_456_789_012, '123 GB'],
  ])('formats %d as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [999_999, '1.0 MB'],
    [999_999_999, '1.0 GB'],
  ])('formats %d, at the border of two units, as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('formats numbers and units for the language', () => {
    expect([0, 1, 1536, 999_999, 5_000_000].map((bytes) => formatBytes(bytes, 'es'))).toEqual([
      '0 bytes',
      '1 byte',
      '1,5 kB',
      '1,0 MB',
      '5,0 MB',
    ]);
    expect([999, 1536, 123_456_789_012].map((bytes) => formatBytes(bytes, 'ja'))).toEqual(['999 バイト', '1.5 KB', '123 GB']);
  });

  it('rounds to the last digit, and has up to three digits', () => {
    const factors: Record<string, number> = { byte: 1, bytes: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
    const around = fc
      .tuple(fc.nat(4), fc.integer({ min: -1000, max: 1000 }))
      .map(([unit, off]) => Math.max(0, 1000 ** unit + off));
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 999_499_999_999_999 }), around), (bytes) => {
        const [number, unit] = formatBytes(bytes).split(' ') as [string, string];
        const factor = factors[unit] as number;
        const step = factor === 1 ? 1 : number.includes('.') ? factor / 10 : factor;
        expect(Math.abs(Number(number) * factor - bytes)).toBeLessThanOrEqual(step / 2 + bytes * 1e-12);
        expect(number.replace('.', '').length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 2000 },
    );
  });
});
