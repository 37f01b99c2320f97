import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLUSTER, foldCluster, foldText, splitNameParts, splitQueryWords, splitWords } from './searchable-text.ts';

it.each([
  ['Máire O’Dálaigh', ['maire', 'odalaigh']],
  ['Zoe\u0308 Àlvarez-Núñez', ['zoe', 'alvarez', 'nunez']],
  ["Women's work, the workers’ memory", ['womens', 'work', 'the', 'workers', 'memory']],
  ['Hawaiʻi, Hawai´i and ʻIolani', ['hawaii', 'hawaii', 'and', 'iolani']],
  ['the 1930’s', ['the', '1930s']],
  ['ΟΔΟΣ Ὀδός', ['οδοσ', 'οδοσ']],
  ['ＡＢＣ１９４２ ﬁne', ['abc1942', 'fine']],
  ['ｶﾞﾗｽ', ['ガラ', 'ラス', 'ス']],
  ['lica-quay-1-9, 12,345', ['lica', 'quay', '1', '9', '12', '345']],
  ['“rock ’n’ roll”', ['rock', 'n', 'roll']],
  ['Łódź, Øresund, Straße, Đà Nẵng, Æbelø', ['lodz', 'oresund', 'strasse', 'da', 'nang', 'aebelo']],
  ['Þórshöfn Œuvre ILIĞI ılık', ['thorshofn', 'oeuvre', 'iligi', 'ilik']],
  ['مُحَمَّد أحمد كــتــب إلى مدرسة', ['محمد', 'احمد', 'كتب', 'الي', 'مدرسه']],
  ['שָׁלוֹם', ['שלום']],
  ['bib\u00adlio\u200bthek \u202ax\u202c \ufeffy', ['bibliothek', 'x', 'y']],
  ['١٩٤٢ १९४२ ໑໙໔໒', ['1942', '1942', '1942']],
  ['क़लम', ['कलम']],
])('splits %s into words', (text, words) => expect(splitWords(text)).toEqual(words));

it('splits Japanese, Chinese and Korean into pairs, and the last character of each run', () => {
  expect(splitWords('Lights of 山の灯り here')).toEqual(['lights', 'of', '山の', 'の灯', '灯り', 'り', 'here']);
  expect(splitWords('昭和17年')).toEqual(['昭和', '和', '17', '年']);
  expect(splitWords('김바다')).toEqual(['김바', '바다', '다']);
  expect(splitWords('김바다'.normalize('NFD'))).toEqual(['김바', '바다', '다']);
  expect(splitQueryWords('山の灯')).toEqual(['山の', 'の灯']);
  expect(splitQueryWords('灯')).toEqual(['灯']);
  expect(splitWords('が')).not.toEqual(splitWords('か'));
});

it('splits Thai, Khmer and Burmese into pairs of letters with their marks', () => {
  expect(splitWords('โคมไฟ')).toEqual(['โค', 'คม', 'มไ', 'ไฟ', 'ฟ']);
  expect(splitWords('ที่เรือ')).toEqual(['ที่เ', 'เรื', 'รือ', 'อ']);
  expect(splitQueryWords('ភ្នំពេញ').length).toBeGreaterThan(2);
});

it('takes signs of repetition, and the small ke of names, for the letters that they are', () => {
  expect(splitWords('佐々木')).toEqual(splitWords('佐佐木'));
  expect(splitWords('関ヶ原')).toEqual(splitWords('関ケ原'));
});

it.each([
  ['Máire O’Dálaigh and Jeanne d’Arc', ['dalaigh', 'arc']],
  ["The women's hall. We'll see what they've got", []],
  ['Hawaiʻi', []],
])('finds the part of a name after an apostrophe: %s', (text, parts) => expect(splitNameParts(text)).toEqual(parts));

it('limits the length of a word', () => {
  expect(splitWords('x'.repeat(1000))).toEqual(['x'.repeat(60)]);
  expect(splitWords('𝒳𐐷'.repeat(100)).every((word) => word.isWellFormed())).toBe(true);
});

it('folds text as it folds each of its characters, and a second time without any change', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const pieces = text.normalize('NFC').replace(CLUSTER, foldCluster);
      expect(splitWords(pieces)).toEqual(splitWords(text));
      expect(splitWords(foldText(text))).toEqual(splitWords(text));
    }),
  );
});
