import { expect, it } from 'vitest';
import { isScript, isUsual, LETTERS, letterOf } from './letters.ts';

it.each([
  ['ashlock', 'A'],
  ['Àlvarez', 'A'],
  ['“quill”', 'Q'],
  ['100wool', '0–9'],
  ['山田', 'Hani'],
  ['𠮷田', 'Hani'],
  ['やまだ', 'や'],
  ['ヤマダ', 'や'],
  ['ﾔﾏﾀﾞ', 'や'],
  ['がっこう', 'か'],
  ['ぱん', 'は'],
  ['をんな', 'わ'],
  ['김', 'ㄱ'],
  ['김'.normalize('NFKD'), 'ㄱ'],
  ['까치', 'ㄱ'],
  ['한', 'ㅎ'],
  ['Чехов', 'Ч'],
  ['ёлка', 'Е'],
  ['Қазақ', 'К'],
  ['Їжак', 'І'],
  ['Ὀδός', 'Ο'],
  ['أحمد', 'ا'],
  ['پروین', 'پ'],
  ['یزد', 'ي'],
  ['שלום', 'ש'],
  ['एक', 'ए'],
  ['क़लम', 'क'],
  ['เกาะ', 'ก'],
  ['โคมไฟ', 'ค'],
  ['ʻUlu', 'U'],
  ['ٹیپو', 'ٹ'],
  ['ثریا', 'ث'],
  ['თბილისი', 'თ'],
  ['Երևան', 'Ե'],
  ['ዓለም', 'ዐ'],
  ['চিঠি', 'চ'],
  ['கடிதம்', 'க'],
  ['കത്ത്', 'ക'],
  ['ເຮືອ', 'ຮ'],
  ['កំពង់', 'ក'],
  ['ကျောင်း', 'က'],
  ['ཀ་ཁ', 'ཀ'],
  ['ᎠᏥᎳ', 'Ꭰ'],
  ['ßen', 'S'],
  ['Łukasz', 'L'],
  ['Ødegaard', 'O'],
  ['Đorđe', 'D'],
  ['Æsir', 'A'],
  ['Þór', 'T'],
  ['Ənvər', 'E'],
  ['١٩٤٢', '0–9'],
  ['ᚠ', 'Other'],
  ['—', 'Other'],
  ['', 'Other'],
])('sorts %s under %s', (key, letter) => expect(letterOf(key)).toBe(letter));

it.each(['김바다 나무 한', 'あめ かい わん', 'Анна Борис Яна', 'احمد باران يزد', 'กา เขา ฮา', 'Άννα Βάσω Ωρα'])(
  'has its headings in the order of names: %s',
  (names) => {
    const positions = names.split(' ').map((name) => LETTERS.indexOf(letterOf(name)));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(positions.length);
  },
);

it('has each heading once, and files each letter under itself', () => {
  expect(new Set(LETTERS).size).toBe(LETTERS.length);
  const letters = LETTERS.filter((letter) => !isScript(letter) && !isUsual(letter));
  expect(letters.map(letterOf)).toEqual(letters);
});

it('knows which headings are those of scripts', () => {
  const [european, indic, others] = [
    'Grek Cyrl Hebr Arab Deva Thai Armn Geor',
    'Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh',
    'Laoo Khmr Mymr Tibt Cher Hang Hrkt Hani',
  ];
  expect(LETTERS.filter(isScript).join(' ')).toBe(`${european} Ethi ${indic} ${others}`);
});
