import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../tests/support/encode-text.ts';
import { charsetDeclaredIn, charsetNamed, decodeText, findCharset } from './charset.ts';

const read = (bytes: Uint8Array, declared: readonly string[] = []): [text: string, charset: string, evidence: string] => {
  const { name, evidence } = findCharset(bytes, declared);
  return [decodeText(bytes, name), name, evidence];
};

const JAPANESE = '聞き手：お生まれはどちらですか。\n話し手：広島県の小さな村です。父は漁師でした。\n';
const KOREAN = '저는 부산에서 태어났습니다. 아버지는 어부였습니다. 우리는 항구 근처에 살았어요.\n';
const SIMPLIFIED = '我出生在广东的一个小村庄。父亲是渔民。我们住在港口附近，每天早上都能听到钟声。\n';
const TRADITIONAL = '我出生在廣東的一個小村莊。父親是漁民。我們住在港口附近，每天早上都能聽到鐘聲。\n';
const WESTERN = 'Señora Muñoz said: “We lived near the café — the naïve ones.” It’s all in José’s diary, née Peña.\n';
const SPANISH = 'La señorita Ibáñez nació en la montaña; después vivió en México. ¿Cómo fue? ¡Qué frío!\n';
const RUSSIAN = 'Я родился в маленькой деревне. Отец был рыбаком. Мы жили около гавани и слышали колокол.\n';
const CZECH = 'Narodil jsem se v malé vesnici. Otec byl rybář, žili jsme blízko přístavu a slyšeli zvon každé ráno.\n';

describe('findCharset', () => {
  it.each([
    ['UTF-8', Buffer.from('\ufeffné'), 'né', 'utf-8'],
    ['UTF-16 LE', Buffer.from('\ufeffné 山\r\n', 'utf16le'), 'né 山\r\n', 'utf-16le'],
    ['UTF-16 BE', Buffer.from('\ufeffné 山', 'utf16le').swap16(), 'né 山', 'utf-16be'],
    ['UTF-32 LE', encodeText('\ufeffné 山', 'UTF-32LE'), 'né 山', 'utf-32le'],
    ['UTF-32 BE', encodeText('\ufeffné 山', 'UTF-32BE'), 'né 山', 'utf-32be'],
  ])('reads the byte order mark of %s', (_, bytes, text, name) =>
    expect(read(bytes, ['shift_jis'])).toEqual([text, name, 'bom']),
  );

  it.each([
    ['SHIFT_JIS', JAPANESE],
    ['EUC-JP', JAPANESE],
    ['ISO-2022-JP', JAPANESE],
    ['CP1252', WESTERN],
    ['GBK', SIMPLIFIED],
    ['BIG5', TRADITIONAL],
    ['EUC-KR', KOREAN],
    ['MACINTOSH', WESTERN],
    ['KOI8-R', RUSSIAN],
    ['CP1251', RUSSIAN],
  ])('guesses %s', (charset, text) => {
    expect(read(encodeText(text, charset))).toEqual([text, expect.any(String), 'guess']);
    expect(read(encodeText(text.repeat(2000), charset))).toEqual([text.repeat(2000), expect.any(String), 'guess']);
  });

  it.each([
    ['SHIFT_JIS', 'こんにちは'],
    ['SHIFT_JIS', 'Interview with Mr. Okada (岡田さん), 1942\n山の灯について聞く\n'],
    ['CP1252', SPANISH],
    ['CP1252', 'Peña'],
    ['CP1252', 'Andrés'],
    ['CP1252', 'It’s'],
    ['CP1250', CZECH],
    ['UTF-16LE', WESTERN],
    ['UTF-16BE', JAPANESE],
  ])('guesses %s of %j', (charset, text) => expect(read(encodeText(text, charset))[0]).toBe(text));

  it('finds letters beyond ASCII late in a long file', () => {
    const text = `${'The ferry left at dawn.\n'.repeat(5_000)}${SPANISH}`;
    expect(read(encodeText(text, 'CP1252'))[0]).toBe(text);
  });

  it.each([
    ['shift_jis', 'SHIFT_JIS', 'ﾊﾝｶｸ'],
    ['windows-1250', 'CP1250', 'čeština'],
    ['macintosh', 'MACINTOSH', 'Peña'],
    ['utf-16le', 'UTF-16LE', '山の灯\n'],
    ['iso-2022-jp', 'ISO-2022-JP', '山'],
  ])('uses the declared %s', (name, charset, text) => {
    expect(read(encodeText(text, charset), [name])).toEqual([text, name, 'declared']);
  });

  it('reads valid UTF-8 as such, regardless of declarations', () => {
    expect(read(Buffer.from(JAPANESE), ['shift_jis'])).toEqual([JAPANESE, 'utf-8', 'utf-8']);
    expect(read(Buffer.from('plain'), ['shift_jis'])).toEqual(['plain', 'utf-8', 'utf-8']);
    expect(findCharset(Buffer.from(JAPANESE).subarray(0, 50)).name).toBe('utf-8');
  });

  it('does not use a declared charset in which the bytes are not text', () => {
    expect(read(encodeText(JAPANESE, 'SHIFT_JIS'), ['utf-8', 'euc-jp'])).toEqual([JAPANESE, 'shift_jis', 'guess']);
    expect(read(encodeText(WESTERN, 'CP1252'), ['utf-8'])).toEqual([WESTERN, 'windows-1252', 'guess']);
  });

  const NAMES = '岡田花子、田中太郎、山本五郎\n';
  it.each([
    ['windows-1252', 'SHIFT_JIS', JAPANESE],
    ['windows-1252', 'EUC-JP', JAPANESE],
    ['windows-1252', 'EUC-JP', NAMES],
    ['windows-1252', 'SHIFT_JIS', NAMES],
    ['macintosh', 'SHIFT_JIS', 'はい'],
    ['koi8-r', 'SHIFT_JIS', JAPANESE],
    ['windows-1252', 'EUC-KR', KOREAN],
    ['windows-1252', 'ISO-2022-JP', JAPANESE],
    ['utf-8', 'ISO-2022-JP', JAPANESE],
    ['shift_jis', 'ISO-2022-JP', JAPANESE],
    ['shift_jis', 'EUC-JP', JAPANESE],
    ['utf-16le', 'UTF-16BE', JAPANESE],
  ])('rejects the declared %s of text in %s: %j', (declared, charset, text) => {
    const { name, evidence, rejected } = findCharset(
      encodeText(text, charset),
      [declared],
      charset.includes('JP') || charset === 'SHIFT_JIS' ? ['ja'] : [],
    );
    expect([decodeText(encodeText(text, charset), name), evidence, rejected]).toEqual([text, 'guess', declared]);
  });

  it('reads text in the Windows charset that is declared as the ISO one', () => {
    const text = CZECH.replace('vesnici', '„vesnici“, šťastně žil');
    expect(read(encodeText(text, 'CP1250'), ['iso-8859-2'])).toEqual([text, 'windows-1250', 'declared']);
  });

  it('rejects what markup declares too', () => {
    const html = `<html><head><meta charset="iso-8859-1"></head><body>${JAPANESE}</body></html>`;
    const bytes = encodeText(html, 'SHIFT_JIS');
    expect(findCharset(bytes)).toEqual({ name: 'shift_jis', evidence: 'guess', rejected: 'windows-1252' });
  });

  it.each([
    ['windows-1252', 'CP1252', WESTERN],
    ['windows-1252', 'CP1252', `${'—'.repeat(40)}\n“Peña”\n`],
    ['windows-1252', 'CP1252', '“••• It’s”'],
    ['macintosh', 'MACINTOSH', 'ÉCOLE DES ÉTUDES, ÎLE'],
    ['koi8-r', 'KOI8-R', 'Москва'],
    ['koi8-r', 'KOI8-R', RUSSIAN],
    ['windows-1251', 'CP1251', 'Вода'],
    ['windows-1253', 'CP1253', 'Γεννήθηκα σε ένα χωριό'],
    ['windows-1250', 'CP1250', CZECH],
    ['windows-1258', 'CP1258', 'Tôi sinh ra'],
    ['shift_jis', 'SHIFT_JIS', 'ｵｶﾀﾞ､ﾊﾅｺ ﾊﾝｶｸ'],
    ['shift_jis', 'SHIFT_JIS', NAMES],
    ['euc-jp', 'EUC-JP', NAMES],
    ['gb18030', 'GBK', SIMPLIFIED],
    ['big5', 'BIG5', TRADITIONAL],
    ['euc-kr', 'EUC-KR', KOREAN],
    ['utf-16le', 'UTF-16LE', 'おかだ'],
    ['utf-16be', 'UTF-16BE', '岡田花子\n'],
  ])('believes the declared %s of text in %s: %j', (declared, charset, text) => {
    for (const languages of [[], ['ja'], ['ru']]) {
      const bytes = encodeText(text, charset);
      const found = findCharset(bytes, [declared], languages);
      expect([decodeText(bytes, found.name), found]).toEqual([text, { name: declared, evidence: 'declared' }]);
    }
  });

  it('does not read ASCII as UTF-16, even if it is declared', () => {
    expect(findCharset(Buffer.from('Names of 100 people'), ['utf-16le']).name).toBe('utf-8');
  });

  it.each([
    ['EUC-JP', NAMES, ['ja']],
    ['EUC-JP', '田中\n', ['ja']],
    ['EUC-JP', '婦人会議事録\n昭和十七年三月\n', ['en', 'ja']],
    ['SHIFT_JIS', '田中\n', ['ja']],
    ['GBK', SIMPLIFIED, ['ja']],
    ['BIG5', TRADITIONAL, ['ja']],
    ['BIG5', '港口附近\n', ['zh']],
    ['EUC-KR', KOREAN, ['ja']],
    ['CP1252', SPANISH, ['ja']],
    ['CP1252', 'Peña', ['ja', 'zh', 'ko']],
    ['UTF-16LE', '聞き手：お生まれは', []],
    ['UTF-16BE', '聞き手：お生まれはどちらですか。話し手：広島県の小さな村です。'.repeat(20), []],
  ])('guesses %s of %j by the languages of the record', (charset, text, languages) => {
    const bytes = encodeText(text, charset);
    expect(decodeText(bytes, findCharset(bytes, [], languages).name)).toBe(text);
  });

  it.each([
    '<meta charset="Shift_JIS">',
    "<meta charset = 'x-sjis' />",
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=Shift_JIS">',
    '<!-- <meta charset="utf-8"> --><meta charset=shift_jis>',
  ])('reads the charset of HTML: %s', (meta) => {
    const html = `<!DOCTYPE html><html><head>${meta}</head><body>ﾊﾝｶｸ</body></html>`;
    expect(read(encodeText(html, 'SHIFT_JIS'))).toEqual([html, 'shift_jis', 'markup']);
  });

  it('reads the charset of XML', () => {
    const xml = '<?xml version="1.0" encoding="EUC-JP"?><p>山</p>';
    expect(read(encodeText(xml, 'EUC-JP'))).toEqual([xml, 'euc-jp', 'markup']);
  });

  it('reads damaged UTF-8 as UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from(JAPANESE), Buffer.from([0xff]), Buffer.from(JAPANESE)]);
    expect(read(bytes)).toEqual([`${JAPANESE}\ufffd${JAPANESE}`, 'utf-8', 'guess']);
  });

  it('reads any bytes, in well-formed text, and all valid UTF-8 unchanged', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom([], ['shift_jis'], ['utf-16le'], ['utf-32be'], ['windows-1252'], ['euc-jp', 'koi8-r']),
        (bytes, declared) => {
          expect(read(bytes, declared)[0].isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'grapheme' })
          .filter((text) => !text.includes('\0') && !text.includes('\u001b') && !text.startsWith('\ufeff')),
        (text) => {
          expect(read(Buffer.from(text))[0]).toBe(text);
        },
      ),
    );
  });
});

describe('charsetNamed', () => {
  it.each([
    ['SJIS', 'shift_jis'],
    ['CP932', 'shift_jis'],
    ['Windows-31J', 'shift_jis'],
    ['Shift JIS', 'shift_jis'],
    ['EUC_JP', 'euc-jp'],
    ['eucJP', 'euc-jp'],
    ['latin1', 'windows-1252'],
    ['ISO 8859-1', 'windows-1252'],
    ['UTF8', 'utf-8'],
    ['MacRoman', 'macintosh'],
    ['UTF-32', 'utf-32le'],
    ['klingon', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('knows %j', (label, name) => expect(charsetNamed(label)).toBe(name));
});

it.each([
  ['text/plain; charset=Shift_JIS', 'shift_jis'],
  ['text/html;charset="euc-jp"', 'euc-jp'],
  ['Typed in Word 95; encoding: Windows-1252.', 'windows-1252'],
  ['encoded in UTF-16', 'utf-16le'],
  ['text/plain', undefined],
  ['encoding unknown', undefined],
])('charsetDeclaredIn reads %j', (text, name) => expect(charsetDeclaredIn(text)).toBe(name));
