import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody, isDeeperThan, parseJson } from './json.ts';

const bytes = (...parts: Array<string | number>) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

describe('decodeBody', () => {
  it.each([
    ['UTF-8', bytes('{"a":"é日"}'), undefined, '{"a":"é日"}'],
    ['a byte order mark', bytes('\uFEFF{}'), undefined, '{}'],
    ['UTF-8 with another charset declared', bytes('"é"'), 'application/json; charset=iso-8859-1', '"é"'],
    ['the declared charset', bytes('"caf', 0xe9, '"'), 'application/json; charset="ISO-8859-1"', '"café"'],
    ['invalid bytes', bytes('"caf', 0xe9, '"'), 'application/json', '"caf\uFFFD"'],
    ['invalid bytes with UTF-8 declared', bytes('"caf', 0xe9, '"'), 'application/json; charset=utf-8', '"caf\uFFFD"'],
    ['an unknown charset', bytes('"caf', 0xe9, '"'), 'text/json; charset=klingon', '"caf\uFFFD"'],
    ['UTF-16', Buffer.from('\uFEFF"é"', 'utf16le'), undefined, '"é"'],
    ['UTF-16 without a mark', Buffer.from('["é"]', 'utf16le'), undefined, '["é"]'],
    ['UTF-16 without a mark, high bytes first', Buffer.from('["é"]', 'utf16le').swap16(), undefined, '["é"]'],
  ])('decodes %s', (_, body, type, text) => {
    expect(decodeBody(body, type)).toBe(text);
  });
});

describe('parseJson', () => {
  it.each([
    ['the last of duplicate keys', '{"a":1,"a":2}', { a: 2 }],
    ['NUL in a string', '{"a":"x\u0000y"}', { a: 'x\u0000y' }],
    ['a raw line break in a string', '{"a":"x\ny\\n\\"\tz"}', { a: 'x\ny\n"\tz' }],
    ['NUL after the end', '{"a":1}\u0000\u0000', { a: 1 }],
    ['__proto__ as an ordinary key', '{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
    [
      'numbers that are none as unset',
      '{"a":NaN,"b":[-Infinity,inf,-nan],"c":"NaN"}',
      { a: null, b: [null, null, null], c: 'NaN' },
    ],
    [
      'numbers that are none, as older compilers write them',
      '[1.#INF, -1.#IND00,-nan(ind),"1.#INF"]',
      [null, null, null, '1.#INF'],
    ],
    ['constants of other languages', '[None,undefined,NA,NULL,True,False,"None"]', [null, null, null, null, true, false, 'None']],
    ['other forms of numbers', '[007,-00.5,+5,.5,-.5,5.,1.e2,"007"]', [7, -0.5, 5, 0.5, -0.5, 5, 100, '007']],
    ['commas before brackets', '{"a":[1,2, ],"b":"x",}', { a: [1, 2], b: 'x' }],
    ['unknown escapes', String.raw`["\x41\'\v\u12\\d\u0041\"",]`, [String.raw`A'\v\u12\dA"`]],
    ['paths of Windows', String.raw`{"a":"C:\Temp\2020\U0041"}`, { a: String.raw`C:\Temp\2020\U0041` }],
    ['numbers with a sign and without a zero', '[+.5,0.5,00.5,-.5,0.0,10.05]', [0.5, 0.5, 0.5, -0.5, 0, 10.05]],
    ['other white space', '\uFEFF{\u00a0"a":\u2028"\u00a0"}', { a: '\u00a0' }],
    ['truncated text', '{"a":"x\u0000y', undefined],
    ['single quotes', String.raw`{'a':'It\'s "x" \"y\"','b':"don't"}`, { a: `It's "x" "y"`, b: "don't" }],
    ['what Python writes', `{'a': None, 'b': u'x', 'c': b"y", 'd': "it's"}`, { a: null, b: 'x', c: 'y', d: "it's" }],
    ['comments', '/* a */{"a":"http://x /* y */",// "b"\n/* " */"c":1, // d\n}//', { a: 'http://x /* y */', c: 1 }],
    ['a comment without an end', '{"a":1}/* "', { a: 1 }],
    [
      'names without quotes',
      '{a:1,$b_1 : "x:y", é:true, NaN:NaN,None:[None]}',
      { a: 1, $b_1: 'x:y', é: true, NaN: null, None: [null] },
    ],
    [
      'calls around values',
      'typeof f && f({"a":ObjectId("5f(x)"),"b":NumberLong(5),"c":ISODate( "1942" )});',
      { a: '5f(x)', b: 5, c: '1942' },
    ],
    ['text before and after', ')]}\',\n{"a":1}\n<!-- 0.2 ms -->', { a: 1 }],
    ['warnings before', '<br />\n<b>Warning</b>: it\'s "x" in y.php on line <b>3</b><br />\n[{"a":1}]', [{ a: 1 }]],
    ['empty values', '{,"a":,"b":[1,,2,],,"c": }', { a: null, b: [1, 2], c: null }],
    ['JSON in a web page', '<!DOCTYPE html><script>{"a":1}</script>', undefined],
    ['two values', '{"a":1}{"a":2}', undefined],
    ['a list in a message', '<br />\n<b>Fatal error</b>: Cannot use [] for reading in y.php', undefined],
    ['a number in a message', '<p>Error [404]</p>', undefined],
    ['an empty object in a message', '<div>Not found {}</div>', undefined],
    ['a web page after a declaration', '<?xml version="1.0"?><!DOCTYPE html><p>{"a":1}</p>', undefined],
    ['an empty list in a call', 'f([]);', []],
    ['text that was cut off after a value', '[{"a":1}]xx{"a":', undefined],
    ['names in other languages', '{título: 1, año: "x"}', { título: 1, año: 'x' }],
    ['nesting hidden in a string', `{'"': ${'['.repeat(1001)}${']'.repeat(1001)}, '"': 1}`, undefined],
    ['HTML', '<html>', undefined],
    ['empty text', '', undefined],
  ])('handles %s', (_, text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it('parses huge numbers', () => {
    expect(parseJson('[1e999, 123456789012345678901234567890]')).toEqual([Number.POSITIVE_INFINITY, 1.2345678901234568e29]);
  });

  it('agrees with JSON.parse, and never throws', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseJson(`{"a": "${text}"`)));
  });

  it('takes linear time', () => {
    const start = process.cpuUsage();
    expect(parseJson(`{"a":"${'\\"\u0000'.repeat(1_000_000)}`)).toBeUndefined();
    for (const piece of ["'", '/*', '/', '[', ',', ', ', 'a', 'a ', 'a(', '(', '-', '0', '0.', ' ', 'u ', '\\', '{'])
      parseJson(`{${piece.repeat(300_000)}}`);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});

describe('isDeeperThan', () => {
  it('counts objects and arrays, but not brackets in strings', () => {
    expect(isDeeperThan(2, '[{"a":"[[[{{{\\"[[["}]')).toBe(false);
    expect(isDeeperThan(1, '[{"a":1}]')).toBe(true);
    expect(isDeeperThan(3, '[[],[],[[]]]')).toBe(false);
  });

  it('agrees with the parsed value', () => {
    const depth = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(6), (value, limit) => {
        expect(isDeeperThan(limit, JSON.stringify(value))).toBe(depth(value) > limit);
      }),
    );
  });
});
