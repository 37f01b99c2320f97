import { expect, it } from 'vitest';
import { cutElements, cutHidden } from './cut-elements.ts';

it.each([
  ['<p>a</p><div style="display:none;"><p>b</p></div><p>c</p>', '<p>a</p><p>c</p>'],
  ['<p>a</p><div style="color: red; DISPLAY : none"><p>b</p></div>c', '<p>a</p>c'],
  ['a<span hidden>b</span>c', 'ac'],
  ['a<span hidden="">b<i hidden>c</i></span>d', 'ad'],
  ['a<span aria-hidden="true">b</span><i hidden>c</i>', 'a<span aria-hidden="true">b</span>'],
  ['<p style="visibility:hidden">a<p>b', '<p>b'],
  ['<p>a</p><div hidden>b<p>c', '<p>a</p>'],
  ['a<br hidden>b', 'ab'],
  ['<ul><li hidden>a<li>b</ul>', '<ul><li>b</ul>'],
  ['<p style="text-align:left">hidden treasure</p>', '<p style="text-align:left">hidden treasure</p>'],
])('of %j, readers see %j', (html, shown) => expect(cutHidden(html)).toBe(shown));

it('returns what it cuts out, in its order, the outer element of two', () => {
  const { cut } = cutElements('<div id="a"><p id="b">a</p></div>b<i id="c">c</i>', ({ attributes }) => 'id' in attributes);
  expect(cut.map(({ html }) => html)).toEqual(['<div id="a"><p id="b">a</p></div>', '<i id="c">c</i>']);
});

it('selects elements by their text', () =>
  expect(cutElements('<p>one</p><p>t<i>w</i>o</p>', ({ name, text }) => name === 'p' && text === 'two').rest).toBe('<p>one</p>'));
