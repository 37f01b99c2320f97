import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createAlphabet, isScript } from './letters.ts';
import ownLetters from './own-letters.json' with { type: 'json' };

const { letters: LETTERS, letterOf, usualLetters } = createAlphabet('en');

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
  const letters = LETTERS.filter((letter) => !isScript(letter) && !usualLetters.has(letter));
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

it.each([
  ['sv', 'Åberg Ängel Östlund Zorn Ørsted Adam', 'Å Ä Ö Z Ö A'],
  ['da', 'Aarhus Ægir Øst Åse Ärlig', 'Å Æ Ø Å Æ'],
  ['cs', 'Čapek Chata CHALUPA Cukr Houska Žena Áda', 'Č Ch Ch C H Ž A'],
  ['es', 'Ñuñoa Nadal Úbeda Chile', 'Ñ N U C'],
  ['hu', 'Szabó Sas Zsolt Dzseki', 'Sz S Zs Dzs'],
  ['is', 'Þór Ólafur', 'Þ Ó'],
  ['tr', 'istanbul ırmak Iğdır Şile', 'İ I I Ş'],
  ['uk', 'Їжак Ґанок Йосип', 'Ї Ґ Й'],
  ['ru', 'Ёлка Йод Қазақ', 'Е Й К'],
  ['kk', 'Қазақ', 'Қ'],
  ['fa', 'یزد کاوه پروین أحمد', 'ی ک پ ا'],
  ['fr', 'Éric Æsir Œuvre', 'E A O'],
  ['ja', 'ヤマダ 山田 Ōta', 'や Hani O'],
])('has the letters of the language: %s', (language, names, letters) => {
  expect(names.split(' ').map(createAlphabet(language).letterOf).join(' ')).toBe(letters);
});

it.each([
  ['sv', 'A Z Å Ä Ö 0–9 Cyrl'],
  ['da', 'A Z Æ Ø Å 0–9'],
  ['cs', 'A C Č D H Ch I Z Ž 0–9'],
  ['et', 'S Š Z Ž T'],
  ['es', 'N Ñ O'],
  ['ar', 'ا ي Arab A Z 0–9 Α Other'],
  ['ja', 'あ わ Hrkt Hani A Z 0–9 Α'],
  ['ko', 'ㄱ Hang Hani A'],
  ['ru', 'А Я Cyrl A Z Grek'],
  ['fa', 'و ه ی A'],
])('has the headings in the order of the language: %s', (language, expected) => {
  const { letters } = createAlphabet(language);
  expect(letters.filter((letter) => expected.split(' ').includes(letter)).join(' ')).toBe(expected);
});

it.each(Object.entries(ownLetters))('has letters of its own where the order of the language has them: %s', (language, own) => {
  const { compare, resolvedOptions } = new Intl.Collator(language, { sensitivity: 'base' });
  const { letters, letterOf } = createAlphabet(language);
  expect(resolvedOptions.call(new Intl.Collator(language)).locale).toBe(language);
  expect(own.split(' ').toSorted(compare)).toEqual(own.split(' '));
  expect(own.split(' ').map(letterOf)).toEqual(own.split(' '));
  expect(new Set(letters).size).toBe(letters.length);
});

it.each([
  ['sv', 'Adam Zorn Åberg Ängel Östlund'],
  ['cs', 'Cukr Čapek Houska Chata'],
  ['da', 'Zorn Ægir Øst Aarhus'],
  ['ja', 'あめ やまだ Abe Ōta'],
  ['ar', 'أحمد يوسف Adam'],
])('sorts by the language, its own script first: %s', (language, names) => {
  const sorted = names.split(' ');
  expect(sorted.toReversed().sort(createAlphabet(language).compare)).toEqual(sorted);
});

it('has the order of English, not of the machine, for a language without one', () => {
  const program =
    "import('./src/catalogue/lists/letters.ts').then(({ createAlphabet }) => console.log(createAlphabet('mi').compare('å', 'z')))";
  const env = { ...process.env, LC_ALL: 'sv_SE.UTF-8' };
  expect(execFileSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).trim()).toBe('-1');
});
