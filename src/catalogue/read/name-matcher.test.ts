import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { spellEastAsian } from '../../formats/search/east-asian.ts';
import { eastAsian } from '../../formats/search/fold-letters.ts';
import { foldText } from '../../formats/search/searchable-text.ts';
import { createNameMatcher, WITHHELD_TEXT } from './name-matcher.ts';

it('createNameMatcher replaces a name in every form, but not a longer name that begins with it', () => {
  const names = createNameMatcher(['Zoë O’Quay']);
  const text = 'Zoë O’Quay, zoë  o’quay; O’Quay, Zoë. Zoë O’Quays house. /authors/Zo%C3%AB%20O%E2%80%99Quay/ Zoe\u0308 O’Quay';
  expect(names.redact(text)).toBe(
    `${WITHHELD_TEXT}, ${WITHHELD_TEXT}; ${WITHHELD_TEXT}. Zoë O’Quays house. /authors/${WITHHELD_TEXT}/ ${WITHHELD_TEXT}`,
  );
  expect([names.matches('by Ada'), names.matches('by ZOË O’QUAY')]).toEqual([false, true]);
  expect(createNameMatcher(['Doe, Jane']).redact('Jane Doe')).toBe(WITHHELD_TEXT);
});

it('createNameMatcher replaces names in scripts without spaces inside sentences, and with or without a space', () => {
  const names = createNameMatcher(['岡田花子', '李 小龍', '김철수', 'エミリー・ブラウン']);
  expect(names.redact('私は岡田花子です。岡田　花子さん、岡田\n花子。李小龍は김철수가エミリー・ブラウンと')).toBe(
    `私は${WITHHELD_TEXT}です。${WITHHELD_TEXT}さん、${WITHHELD_TEXT}。${WITHHELD_TEXT}は${WITHHELD_TEXT}가${WITHHELD_TEXT}と`,
  );
  expect(names.matches('岡田と花子')).toBe(false);
  expect(createNameMatcher(['𠮷田 花', '花田𠮷']).redact('私は𠮷田花です。今日は花田𠮷と')).toBe(
    `私は${WITHHELD_TEXT}です。今日は${WITHHELD_TEXT}と`,
  );
});

it('createNameMatcher finds a name after the end of a line that upstream wrote as a backslash and a letter', () => {
  const names = createNameMatcher(['Ada Quill']);
  expect(names.redact('Vane, Leif\\nQuill, Ada\\nThorn, Mara')).toBe(`Vane, Leif\\n${WITHHELD_TEXT}\\nThorn, Mara`);
});

/** A name as given, and other spellings of it. */
const SPELLINGS: ReadonlyArray<[person: string, ...spellings: string[]]> = [
  [
    'Jane Zanzibar',
    'Ja\u00adne Zanzi\u00adbar',
    'Ｊａｎｅ Ｚａｎｚｉｂａｒ',
    'Zanzibar,Jane',
    'Jane\u200b Zanzibar',
    'Jane\u200bZanzibar',
  ],
  [
    'Jane Zanzibar',
    '\u200eJane\u00a0ZANZIBAR',
    'J\u0001ane  Zanzi\ufeffbar',
    '𝐉𝐚𝐧𝐞 𝐙𝐚𝐧𝐳𝐢𝐛𝐚𝐫',
    'Jane_Zanzibar',
    'zanzibar-jane',
    'Jáńe Zanzıbar',
  ],
  [
    'Jane Zanzibar',
    'Jane%20Zanzibar',
    'Ja%CC%81ne+Zan%C5%BAibar',
    'Zanzibar%2C%20Jane',
    'Zanzibar، Jane',
    'Zanzibar，Jane',
    'Jan\u200d\u0301e Zanzibar',
  ],
  ['Łucja Wałęsa', 'Lucja Walesa', 'WALESA, LUCJA', 'Łucja Wałęsa'.normalize('NFD')],
  ['Lucja Walesa', 'Łucja Wałęsa', 'Wałęsa, Łucja'],
  ['محمد أحمد', 'مُحَمَّد أحمد', 'محمد احمد', 'محـــمد أحمد', 'أحمد، محمد', 'ﻣﺤﻤﺪ ﺃﺣﻤﺪ', 'ﷴ أحمد', 'ومحمد أحمد'],
  ['דוד כהן', 'דָּוִד כהן', 'דוד\u200f כהן', 'כהן, דוד', 'לדוד כהן'],
  ['渡邊 花', '渡辺 花', '渡辺花', '渡\u200b邊花', '花, 渡辺'],
  ['佐々木 花', '佐佐木花', '佐\u200b々木花'],
  ['エミリー・ブラウン', 'ｴﾐﾘｰ･ﾌﾞﾗｳﾝ', 'エミリーブラウン', 'エミリー ブラウン'],
  ['김철수', '김철수'.normalize('NFD'), '김 철수'.replace(' ', '\u200b')],
  ['Hans Groß', 'HANS GROSS', 'Gross, Hans', 'Hans Groẞ'],
  ['Σοφία Παπαδάκης', 'ΣΟΦΙΑ ΠΑΠΑΔΑΚΗΣ', 'Παπαδάκης, Σοφία'],
  ['राम कुमार', 'राम\u200d कुमार', 'कुमार, राम'],
  ['Leilani Kaʻū', "Leilani Ka'u", 'Leilani Kau', 'Leilani Ka‘ū'],
  ['Aoife O’Quay', "Aoife O'Quay", 'Aoife OQuay', 'O`QUAY, AOIFE'],
  ['Jean-Luc van Moor', 'Jean Luc van Moor', 'van Moor, Jean-Luc', 'Moor, Jean‑Luc van'],
  ['J. R. Vane', 'J.R. Vane', 'J R Vane', 'Vane, J R'],
];

it.each(SPELLINGS)('createNameMatcher finds %s in other spellings', (person, ...spellings) => {
  const { redact } = createNameMatcher([person]);
  const sign = spellings.map((spelling) => redact(`1, ${spelling}: 2`));
  expect(sign).toEqual(spellings.map(() => expect.stringMatching(/^(?:1, [ו\u05dcو\u200e]?\[withheld\]: 2|\[withheld\])$/u)));
});

it('createNameMatcher leaves other names', () => {
  const { redact } = createNameMatcher(['Jane Zanzibar', 'राम कुमार', 'James Thomas', 'Ann Lee', 'דוד כהן']);
  for (const other of [
    'Jane Zanzibari',
    'Mary-Jane, Zanzibar',
    'राम कुमारी',
    'Thomas James',
    'Annlee',
    'Jane. A Zanzibar',
    'דוד כהנא',
    'Lee. Ann',
  ])
    expect(redact(other)).toBe(other);
});

it('createNameMatcher leaves no name that search would find, in any spelling', () => {
  const scripts =
    'aeizñłßøåđçşığàéệ оиджієабвй حمدأإوىهة דוכהןשבּ αβσςώήΐ राकुमख़िी 渡辺邊花子広廣々 ガゖッパヴ 김철수읽 กรมนำัเ'.split(' ');
  const word = fc
    .constantFrom(...scripts)
    .chain((script) => fc.string({ unit: fc.constantFrom(...script), minLength: 3, maxLength: 7 }))
    .filter((text) => /^\p{L}/u.test(text));
  const hidden = fc.constantFrom('', '', '\u00ad', '\u200b', '\u200f', '\u2066', '\ufeff', '\u0003');
  const form = fc.constantFrom('NFC', 'NFD', 'NFKD', 'NFKC');
  const change = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => foldText(text),
    (text: string) => encodeURIComponent(text),
    (text: string) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  );
  fc.assert(
    fc.property(
      word,
      word,
      fc.array(hidden, { minLength: 16, maxLength: 16 }),
      form,
      change,
      fc.boolean(),
      (given, surname, gaps, normal, changed, isInverted) => {
        const person = `${given} ${surname}`;
        const { matches, redact } = createNameMatcher([person]);
        const spelled = (isInverted ? `${surname}, ${given}` : person).normalize(normal);
        const written = changed([...spelled].map((letter, i) => letter + gaps[i % gaps.length]).join(''));
        expect(matches(`(${written})`), JSON.stringify([person, written])).toBe(true);
        expect(matches(redact(`(${written})`))).toBe(false);
      },
    ),
  );
});

it('createNameMatcher finds what search joins by several letters', () => {
  const pairs = [
    'แม่น้ำ เเม่นํ้า',
    'ຕະຫລາດ ຕະຫຼາດ',
    'ແມ່ນ້ຳ ແມ່ນໍ້າ',
    'ヴァイオリン バイオリン',
    'ԵՐԵՎԱՆ Երևան',
    'सम्बन्ध संबंध',
    'شؤون شئون',
    'می\u200cروم میروم',
  ];
  eastAsian.spell = spellEastAsian;
  onTestFinished(() => {
    eastAsian.spell = (folded) => folded;
  });
  for (const [one = '', other = ''] of pairs.map((pair) => pair.split(' '))) {
    expect(foldText(one)).toBe(foldText(other));
    expect(createNameMatcher([one]).matches(`1: ${other}.`), other).toBe(true);
  }
});

it.each([
  ['山本 五十六', '山本五十六年譜'],
  ['山本 五十六', '山本五十六日記'],
  ['田中 一', '田中一日本人会長'],
  ['ロペス マリー', 'ロペスマリーさん'],
  ['カラコヴ', 'カラコヴアパート'],
])('createNameMatcher finds %s before what is spelled with it: %s', (person, text) =>
  expect(createNameMatcher([person]).redact(text)).toContain(WITHHELD_TEXT),
);

it.each(['\u200b', '太\u2060', 'ヴァ', '一', 'é'])(
  'createNameMatcher reads a long text of %j in a time that grows with its length',
  (part) => {
    const startedAt = process.cpuUsage();
    createNameMatcher(['Jane Zanzibar', '山本 五十六']).redact(part.repeat(100_000));
    expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(10);
  },
);
