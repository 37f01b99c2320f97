/** Gives each word in Chinese and Japanese one of its spellings. Node has this module; browsers load it for queries in these. */
import { CUT } from './fold-letters.ts';
import hanForms from './han-forms.json' with { type: 'json' };

/** Small kana, which old texts write large, and kana of one sound. */
const KANA = 'ぁあぃいぅうぇえぉおっつゃやゅゆょよゎわゐいゑえぢじづずァアィイゥウェエォオッツャヤュユョヨヮワヰイヱエヂジヅズ';
/**
 * Forms of letters by the one as which search compares each. Of Han, first those before the reform of 1946, and others in
 * Japanese names, by those of today (廣島, 広島): from the lists of characters for general use and OpenCC. Then simplified ones
 * that Japanese hardly uses (广岛), of GB 2312, as Unicode's CLDR and OpenCC have them. At last variants of
 * Taiwan and Hong Kong, as OpenCC has them, and of names and old prints.
 */
const FORMS = new Map(
  Array.from((hanForms.join('') + KANA).matchAll(/(\S)(\S)/gu), ([, form = '', compared = '']) => [form, compared]),
);
// A kana is no longer the same if a mark comes after it: folding a second time would compose the two.
const LETTER = /[\u3041-\u30fa](?![\p{M}\u00ad])|[\u3400-\u9fff\ufa0e-\ufa29\u{20000}-\u{2a6df}]/gu;
/** A selector of a variant, as in 葛󠄀. */
const SELECTOR = /(\p{Script=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
/** Signs that repeat the letter before them, as in 佐々木 and いすゞ. */
const REPEATED = /[\u3400-\u9fff](?:\u00ad*[々〻])+|[ぁ-ゖ][ゝゞ]+(?!\p{M})|[ァ-ヺ][ヽヾ]+(?!\p{M})/gu;
/** A sound of other languages, which is also written with the kana of b: ヴァイオリン, バイオリン. */
const V = /ヴ([ァアィイェエォオヤユヨ]?)(?![\p{M}\u00ad])/gu;
const B: Readonly<Record<string, string>> = { ア: 'バ', イ: 'ビ', エ: 'ベ', オ: 'ボ', ヤ: 'ビヤ', ユ: 'ビユ', ヨ: 'ビヨ' };
/** What may end in the sign of a long vowel that is written or not: コンピューター, but not コピー. */
const KATAKANA = /[ァ-ヺー](?:\u00ad*[ァ-ヺー]){3,}/gu;
/** What ends no such word: it belongs to its last letter. */
const CONTINUED = /^[\p{M}ヽヾ\u00ad]/u;

/** Returns folded text of the same length in which words have one spelling, with `CUT` in place of what that lacks. */
export function spellEastAsian(folded: string): string {
  return folded
    .replace(SELECTOR, (all, letter: string) => letter.padEnd(all.length, CUT))
    .replace(LETTER, (letter) => (FORMS.get(letter) ?? letter).padEnd(letter.length, CUT))
    .replace(REPEATED, spellOut)
    .replace(V, (sound, vowel: string) => (B[vowel] ?? 'ブ').padEnd(sound.length, CUT))
    .replace(KATAKANA, (word, at: number, all: string) =>
      CONTINUED.test(all.charAt(at + word.length)) ? word : withoutLastLong(word),
    );
}

function spellOut(word: string): string {
  const letter = word[0] as string;
  const voiced = `${letter}\u3099`.normalize('NFC');
  return word.replace(/[々〻ゝヽ]/g, letter).replace(/[ゞヾ]/g, voiced.length === 1 ? (FORMS.get(voiced) ?? voiced) : letter);
}

function withoutLastLong(word: string): string {
  const [stem = ''] = word.match(/^.*[^ー]/) ?? [];
  return stem.replaceAll(CUT, '').length < 3 ? word : stem.padEnd(word.length, CUT);
}
