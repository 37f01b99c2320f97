import { expect, it } from 'vitest';
import { reflow } from './reflow.ts';

it('joins lines that are broken at the edge of a page, and separates speakers', () => {
  const text = [
    'Leif Vane: Well, the whistle went at five, and the gulls knew it',
    'before we did. My father had been out since three, and when he came',
    'home he smelled of tar.',
    'Q: And your mother? She worked at the cannery as well, if I have',
    'understood you?',
    '',
    'She did. For eleven years, winter and summer, and she never missed',
    'a day.',
  ].join('\n');
  expect(reflow(text)).toEqual([
    {
      speaker: 'Leif Vane:',
      text: 'Well, the whistle went at five, and the gulls knew it before we did. My father had been out since three, and when he came home he smelled of tar.',
    },
    { speaker: 'Q:', text: 'And your mother? She worked at the cannery as well, if I have understood you?' },
    { speaker: undefined, text: 'She did. For eleven years, winter and summer, and she never missed a day.' },
  ]);
});

it('keeps each line of a text that has one paragraph on each', () => {
  expect(reflow('One.\nTwo: three.\r\n\r\nfour').map(({ text }) => text)).toEqual(['One.', 'three.', 'four']);
});

it('leaves out page breaks, and the numbers of pages beside them', () => {
  const line = 'a line that is as long as all others on the page of this text';
  expect(reflow(`${line}\n12\n\f${line}\n\f 13\n${line}`)).toEqual([{ speaker: undefined, text: [line, line, line].join(' ') }]);
});

it('joins lines in Japanese without a space', () => {
  const line = '港の朝は早かった、五時に汽笛が鳴り、父はもう海に出ていた、母は缶詰工場で働いていた';
  expect(reflow(`${line}\n${line}`)).toEqual([{ speaker: undefined, text: line + line }]);
});

it.each(['They had three things in the boat that morning: nets, rope and bread', 'Señora Peña said: “The bell rang.”'])(
  'does not take a sentence with a colon for a speaker: %s',
  (text) => {
    expect(reflow(text)).toEqual([{ speaker: undefined, text }]);
  },
);

it.each([
  ['MÁIRE O’DÁLAIGH: Yes.', 'MÁIRE O’DÁLAIGH:'],
  ['Mr. van der Meer: Yes.', 'Mr. van der Meer:'],
  ['A: Yes.', 'A:'],
  ['山田：はい。', '山田：'],
  ['話し手：港の村です。', '話し手：'],
])('finds the speaker of %s', (text, speaker) => {
  expect(reflow(text)[0]?.speaker).toBe(speaker);
});

it.each([
  ['line feeds', '\n'],
  ['page breaks', '\f'],
  ['page breaks and numbers', '\f12\n'],
  ['spaces', ' '],
  ['lines without an end of a paragraph', 'a line that is as long as all others on the page of this text\n'],
  ['capitals', 'A'],
  ['names', 'Ab '],
])('takes time in proportion to the length of a text of %s', (_, part) => {
  const text = part.repeat(2_000_000 / part.length);
  const start = process.cpuUsage();
  reflow(text);
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
});
