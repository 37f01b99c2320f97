import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disarmFormulas, formatLine } from './csv.ts';

describe('disarmFormulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-2+3', "'-2+3"],
    ['@A1', "'@A1"],
    ['＝1＋1', "'＝1＋1"],
    ['"=1+1', `'"=1+1`],
    ["'=1+1", "''=1+1"],
    ['a;=1+1', "a;'=1+1"],
    ['a;""=1+1', `a;'""=1+1`],
    ['1 = 1', '1 = 1'],
    ['a-b; c', 'a-b; c'],
    ["'tis", "'tis"],
    ['\t=1+1', "'\t=1+1"],
    ['\r=1', "'\r=1"],
    ['\n\n@A1', "'\n\n@A1"],
    [' =1', "' =1"],
    ['\u00a0+1', "'\u00a0+1"],
    ['\ufeff\u200b=1', "'\ufeff\u200b=1"],
    ['a; \t=1', "a;' \t=1"],
    [' 1 = 1', ' 1 = 1'],
  ])('%s becomes %s', (text, disarmed) => expect(disarmFormulas(text)).toBe(disarmed));

  it('can be undone', () => {
    const texts = fc.string({ unit: fc.constantFrom(...`=+-@';"a \t\r\n\u200b`) });
    fc.assert(
      fc.property(texts, (text) => {
        expect(disarmFormulas(text).replace(/(^|;)'(?=[\s\u200b'"]*[=+\-@])/g, '$1')).toBe(text);
      }),
    );
  });
});

describe('formatLine', () => {
  it('quotes what RFC 4180 requires, and leaves empty cells empty', () => {
    expect(formatLine(['a', null, 1.5, 'b,c', 'say "d"', 'e; f'])).toBe('a,,1.5,"b,c","say ""d""","e; f"\r\n');
  });
});
