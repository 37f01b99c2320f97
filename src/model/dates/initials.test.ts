import { expect, it } from 'vitest';
import { indexByInitial, initialsOf } from './initials.ts';

it.each([
  ['abc|def', 'a d'],
  ['(?:the )?present', 'p t'],
  ['(?<=x)(?!y)\\d{4}', '0'],
  ['[ab]c', 'a b'],
  ['a{0,2}b', 'a b'],
  ['(?:(?:1|x)a|\\.b)', '. 0 x'],
  ['昭和|showa', 's 昭'],
])('%s begins with %s', (pattern, initials) => expect([...(initialsOf(pattern) ?? [])].sort().join(' ')).toBe(initials));

it.each(['\\p{L}a', '[^a]b', '[a-z]b', '.a', 'a?', 'a?|b', '(?:a|)'])('%s may begin with anything', (pattern) =>
  expect(initialsOf(pattern)).toBeUndefined(),
);

it('gives the entries in their order', () => {
  const entries = [[/ab/], [/[^x]/], [/\d/], [/ac/]] as const;
  const at = indexByInitial(entries);
  expect(at('a')).toEqual([[/ab/], [/[^x]/], [/ac/]]);
  expect(at('7')).toEqual([[/[^x]/], [/\d/]]);
});
