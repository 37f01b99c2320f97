import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { spellEastAsian } from './east-asian.ts';
import { eastAsian } from './fold-letters.ts';
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
  ['ג׳ירפה ג\'ירפה צה״ל צה"ל', ['גירפה', 'גירפה', 'צהל', 'צהל']],
  ['Ɖek Ǥeus Ɨ Ƶ Ənvər', ['dek', 'geus', 'i', 'z', 'enver']],
  ['bib\u00adlio\u200bthek \u202ax\u202c \ufeffy', ['bibliothek', 'x', 'y']],
  ['١٩٤٢ १९४२ ໑໙໔໒', ['1942', '1942', '1942']],
  ['क़लम', ['कलम']],
])('splits %s into words', (text, words) => expect(splitWords(text)).toEqual(words));

it.each([
  ['شئون', 'شؤون', 'شؤُون', 'شوون'],
  ['مسئول', 'مسؤول', 'مَسْئُول', 'مسوول'],
  ['رءوس', 'رؤوس', 'رووس'],
  ['رئيس', 'رييس', 'رئیس'],
  ['น้ำท่วม', 'นํ้าท่วม', 'น้ําท่วม'],
  ['แม่น้ำ', 'เเม่นํ้า', 'แม่นำ้'],
  ['ແມ່ນ້ຳ', 'ແມ່ນໍ້າ'],
  ['ຕະຫລາດ', 'ຕະຫຼາດ'],
  ['ໝາ', 'ຫມາ'],
  ['רמטכ״ל', 'רמטכ"ל', "רמטכ''ל", 'רמטכ”ל', 'רמטכל'],
  ['ייִדישע װעלט', 'יידישע וועלט', 'ײִדישע װעלט'],
  ['ארה״ב ז״ל', 'ארה"ב ז"ל', 'ארהב זל'],
  ['מנכ״לית', 'מנכ"לית', 'מנכלית'],
  ['हिंदी', 'हिन्दी'],
  ['संबंध', 'सम्बन्ध', 'सम्बंध'],
  ['गंगा', 'गङ्गा'],
  ['चांद', 'चाँद', 'चान्द'],
  ['સંબંધ', 'સમ્બન્ધ'],
  ['സംബന്ധം എന്റെ', 'സംബന്ധം എൻ്റെ'],
  ['കൊച്ചിയില്‍', 'കൊച്ചിയിൽ'],
  ['അവന്‍', 'അവൻ'],
  ['Երևան', 'ԵՐԵՎԱՆ', 'երեւան', 'ԵՐԵՒԱՆ'],
  ['ܣܦܪ̈ܐ', 'ܣܦܪܐ'],
  ['박정호', '박정호'.normalize('NFD')],
])('has one word for the spellings of %s', (text, ...others) => {
  for (const other of others) expect(splitWords(other)).toEqual(splitWords(text));
});

it('keeps the quotation marks of a Hebrew word that is quoted after a prefix', () =>
  expect(splitWords('ב"הארץ" ה״תנועה״')).toEqual(['ב', 'הארץ', 'ה', 'תנועה']));

it.each(['जन्म जंम', 'بئر بور', 'ով եւ'])('has two words for %s', (words) => {
  expect(new Set(splitWords(words)).size).toBe(2);
});

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

afterEach(() => {
  eastAsian.spell = (folded) => folded;
});

it('knows no spellings of Chinese and Japanese until it is given them', () => {
  const texts = ['廣島', 'コンピューター', '佐々木'];
  const before = texts.map(splitWords);
  eastAsian.spell = spellEastAsian;
  expect(texts.map(splitWords)).not.toEqual(before);
});

it.each([
  ['佐佐木', '佐々木'],
  ['いすず自動車', 'いすゞ自動車'],
  ['かかし', 'かゝし'],
  ['関ケ原', '関ヶ原'],
  ['葛城', '葛\u{e0100}城'],
  ['コンピュータ', 'コンピューター'],
  ['コンピュータ', 'ｺﾝﾋﾟｭｰﾀｰ'],
  ['ちょっと待って', 'ちよつと待つて'],
  ['キャノン', 'キヤノン'],
  ['広島の沢田、渡辺', '廣島の澤田、渡邊', '广岛の泽田、渡边'],
  ['東京', '东京'],
  ['大学図書館', '大學圖書館', '大学图书馆'],
  ['バイオリン', 'ヴァイオリン', 'ｳﾞｧｲｵﾘﾝ'],
  ['ビーナス ベネチア ボルガ ブ', 'ヴィーナス ヴェネチア ヴォルガ ヴ'],
  ['インタビュー デビュー', 'インタヴュー デヴュー', 'インタヴユー ﾃﾞｳﾞｭｰ'],
  ['バイオリニスト', 'ヴァイオリニスト'],
  ['ウイスキー', 'ウヰスキー'],
  ['ラジオ', 'ラヂオ'],
  ['えき', 'ゑき'],
  ['头发 发展', '頭髮 發展', '頭髪 発展'],
  ['后来 以後', '後來 以后'],
  ['里面 公里', '裏面 公裏', '裡面 公里'],
  ['面包', '麵包', '麪包'],
  ['云', '雲'],
  ['干燥', '乾燥'],
  ['干部', '幹部'],
  ['复杂 反复 恢复', '複雜 反復 恢復'],
  ['松紧', '鬆緊'],
  ['台湾 台风', '臺灣 颱風'],
  ['路线 沿着 啟', '路綫 沿著 啓'],
  ['灶台', '竈臺', '竈檯', '灶枱'],
  ['窓口 史跡 箇所', '窗口 史蹟 个所'],
  ['山崎 島 淵', '山﨑 嶌 渕'],
  ['吉田 叱る', '𠮷田 𠮟る', '\u{20bb7}田 \u{20b9f}る'],
])('finds %s by all its spellings', (text, ...others) => {
  eastAsian.spell = spellEastAsian;
  for (const other of others) expect(splitWords(other)).toEqual(splitWords(text));
});

it.each(['ビール ビル', 'コピー コピ', 'が か', '弁護 便護', '机 機', '十人 10人'])('keeps apart %s', (words) => {
  eastAsian.spell = spellEastAsian;
  const [one = '', other = ''] = words.split(' ');
  expect(splitWords(one)).not.toEqual(splitWords(other));
});

it('spells a long sequence of signs in the time that its length takes', () => {
  for (const text of ['ー'.repeat(1e6), `${'アー'.repeat(1e6)}゙`, `${'ー'.repeat(1e6)}ア`, `佐${'々'.repeat(1e6)}`])
    expect(spellEastAsian(text)).toHaveLength(text.length);
});

const JAPANESE = fc.constantFrom(
  ...'広廣國国广渡邊辺々〻ゝゞヽヾーアアアテッゃャは\u3099\u309aｰｶﾞﾟㇰ㌍・の亜ａa ヴヰヂ九十二〇年 1\u{e0100}\ufe0f𠮟',
);

it('spells text of one spelling a second time without any change', () => {
  eastAsian.spell = spellEastAsian;
  fc.assert(
    fc.property(fc.string({ unit: JAPANESE, maxLength: 12 }), (text) => {
      const pieces = text.normalize('NFC').replace(CLUSTER, foldCluster);
      expect(splitWords(pieces)).toEqual(splitWords(text));
      expect(splitWords(foldText(text))).toEqual(splitWords(text));
    }),
    { numRuns: 5000 },
  );
});

it('changes no text without Han characters or kana', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text.normalize('NFKC')));
      eastAsian.spell = (folded) => folded;
      const before = splitWords(text);
      eastAsian.spell = spellEastAsian;
      expect(splitWords(text)).toEqual(before);
    }),
  );
});

it.each([
  ['Máire O’Dálaigh and Jeanne d’Arc', ['dalaigh', 'arc']],
  ["The women's hall. We'll see what they've got", []],
  ['Hawaiʻi', []],
  ['الصيّادون في الميناء القديم', ['صيادون', 'ميناء', 'قديم']],
  ['وبالمدينة والفانوس للبحر وإبراهيم بالقاهرة كالبحر', ['مدينه', 'فانوس', 'بحر', 'ابراهيم', 'قاهره', 'بحر']],
  ['الله والد وطن الف', []],
  ['می‌روم کتاب‌خانه‌ی', ['مي', 'روم', 'كتاب', 'خانه', 'ي']],
  ['Zero\u200bwidth', ['zero', 'width']],
  ['ภาษา\u200bไทย', []],
])('finds the part of a name after an apostrophe: %s', (text, parts) => expect(splitNameParts(text)).toEqual(parts));

it.each([
  ['المدرسة', 'مدرسه'],
  ['وبالمدينة', 'مدينه'],
  ['للبحر', 'بحر'],
  ['وطن', 'وطن'],
  ['الف', 'الف'],
])('searches %s without its article', (typed, word) => expect(splitQueryWords(typed)).toEqual([word]));

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

it.each([
  'x',
  '字',
  '一',
  '十',
  'ア',
  'ー',
  'ا',
  'ال',
  'א',
  'א"',
  "a'",
  '\u200c',
  'ا\u200c',
  'นํ้',
  'न्',
  'ʼ',
  '太 ',
  '々',
  'ヴ',
  'ゞ',
])('folds a long text of %j in a time that grows with its length', (letter) => {
  eastAsian.spell = spellEastAsian;
  const text = letter.repeat(100_000);
  const startedAt = process.cpuUsage();
  splitNameParts(text);
  splitWords(text);
  const { user } = process.cpuUsage(startedAt);
  // A time that grows with the square of the length is minutes.
  expect(user / 1e6).toBeLessThan(5);
});
