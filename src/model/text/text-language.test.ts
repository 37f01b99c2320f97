import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageCode, languageTag } from './language-tag.ts';
import { type ArchiveLanguages, decisiveLanguages, detectLanguage } from './text-language.ts';

const archive: ArchiveLanguages = { main: 'en', named: ['ja', 'fr', 'de', 'pt', 'it'] };

describe('languageTag', () => {
  it.each([
    ['jpn', 'ja'],
    ['chi', 'zh'],
    ['ger', 'de'],
    ['tgl', 'tl'],
    ['fil', 'fil'],
    ['twi', 'tw'],
    ['en', 'en'],
  ])('%s is %s', (code, tag) => expect(languageTag(code)).toBe(tag));

  it.each(['und', 'zxx', 'mul', 'mis', 'xyz', 'qaa', 'UND', 'Japanese', '', 'e'])('%j has no tag', (code) => {
    expect(languageTag(code)).toBeUndefined();
  });
});

it.each([
  ['jpn', 'jpn'],
  ['JPN', 'jpn'],
  ['Japanese', 'jpn'],
  [' french ', 'fre'],
  ['ES', 'es'],
  ['Tagalog', 'tgl'],
  ['Undetermined', 'und'],
  ['Klingon', 'Klingon'],
  ['en-US', 'en-US'],
  ['', ''],
])('languageCode reads %j as %s', (text, code) => expect(languageCode(text)).toBe(code));

describe('detectLanguage', () => {
  it.each([
    ['山の灯', 'ja'],
    ['婦人会 議事録', 'ja'],
    ['聞き手：お生まれはどちらですか。Interview 1', 'ja'],
    ['저는 부산에서 태어났습니다', 'ko'],
    ['Я родился в маленькой деревне', 'ru'],
    ['Γεννήθηκα σε ένα χωριό', 'el'],
    ['נולדתי בכפר קטן', 'he'],
    ['Una descripción de la vida en el campo, con fotografías de la familia y de los vecinos.', 'es'],
    ['Discurso del presidente de la asociación japonesa', 'es'],
    ['Lettre de Marie Dupont à sa mère, écrite à Lyon pendant la guerre', 'fr'],
    [
      'Ich wurde in einem kleinen Dorf geboren. Mein Vater war Fischer, und wir wohnten in der Nähe des Hafens, wo man jeden Morgen die Glocke hörte.',
      'de',
    ],
    [
      'Sono nato in un piccolo villaggio. Mio padre era pescatore, e abitavamo vicino al porto, dove ogni mattina si sentiva la campana.',
      'it',
    ],
    [
      'Nasci em uma pequena aldeia. Meu pai era pescador, e morávamos perto do porto, onde todas as manhãs se ouvia o sino tocar.',
      'pt',
    ],
  ])('reads %j as %s', (text, tag) => expect(detectLanguage(text, archive)).toBe(tag));

  it.each([
    'Interview with Inés María Ōta, segment 3',
    'Letter from Sadako Kawamoto to Bertha Marie Hartmann',
    'Picnic at Brannan Slough, Walnut Grove Japanese Association',
    'Los Angeles Nisei Week parade photograph',
    'Diario de la Marina newspaper clippings',
    'El Rancho Grande store receipts and letters',
    'Colonia Japonesa de La Molina, Lima, Peru: photograph album',
    'Rancho San Antonio de Padua, Santa Barbara, California',
    'Emiko Tsutakawa, Kamekichi Tokita, Kenjiro Nomura: artists',
    '“Smoked eel” — Île aux Phoques / 山の灯',
    'Oral history of 岡田 Okada',
    'letter, 2 pages, handwritten, with an envelope',
    'Watashi wa Hiroshima no chiisana mura de umaremashita, chichi wa ryoshi deshita',
    'Ang mga sulat ng pamilya mula sa Maynila noong digmaan',
    'In 1942, the family was removed from their farm near Watsonville, and later returned to find the house and orchards sold.',
  ])('leaves %j in the main language', (text) => expect(detectLanguage(text, archive)).toBe('en'));

  it.each([
    'Nasci em uma pequena aldeia. Meu pai era pescador, e morávamos perto do porto, onde todas as manhãs se ouvia o sino tocar.',
    'Carta do pai à família em São Paulo sobre a colheita de café',
    'Discurso do presidente da associação japonesa de São Paulo',
    'Vaig néixer en un petit poble. El meu pare era pescador i vivíem a prop del port.',
    'Nacín nunha pequena aldea. Meu pai era pescador e viviamos preto do porto.',
    'Sono nato in un piccolo villaggio. Mio padre era pescatore, e abitavamo vicino al porto.',
    'Lettre de Marie Dupont à sa mère, écrite à Lyon pendant la guerre',
  ])('leaves %j in the main language of an archive that does not name its language', (text) => {
    expect(detectLanguage(text, { main: 'en', named: ['ja'] })).toBe('en');
    expect(detectLanguage(text, { main: 'en', named: ['ja', 'es'] })).toBe('en');
  });

  it.each([
    'Dos días sin agua en el desierto.',
    'Carta a mi madre desde el campamento',
    'La pesca en el puerto',
    'Fotografías de la familia',
    'Entrevista con el señor Tanaka sobre la guerra',
    'Retrato de una familia en el campo',
    'Libro de cuentas de la tienda',
    'Las mujeres lavaban la ropa en el río.',
    'Cartas de amor y de guerra',
    'Mi abuelo plantó los primeros naranjos.',
    'Programa de la fiesta de la cosecha',
    'Cuando éramos niños íbamos a pescar todos los domingos.',
    'Los primeros años en la hacienda',
    'El barco y la llegada',
    'El colegio japonés de Lima',
    'Nos quitaron la casa y la tierra.',
  ])('reads the short %j as the only language of its item', (text) => {
    expect(detectLanguage(text, { main: 'en', named: ['ja', 'es'] }, ['es'])).toBe('es');
  });

  it.each([
    'Los Angeles Nisei Week parade photograph',
    'Interview with Inés María Ōta, segment 3',
    'Diario de la Marina newspaper clippings',
    'El Rancho Grande store receipts and letters',
    'Colonia Japonesa de La Molina, Lima, Peru: photograph album',
    'Letter from Juan to his mother about the hacienda',
    'Poster for the fiesta de la cosecha',
    'Recording of a corrido about la guerra',
    'Song lyrics: la paloma blanca',
    'Minutes of the sociedad central japonesa del Perú',
    'Las Vegas laundry papers',
    'opera aria records',
    'medical personal data',
    'dental laboratory manual',
    'camera, radio, piano and guitar',
    'Watashi wa Hiroshima no mura de umaremashita',
    'Ang mga sulat ng pamilya mula sa Maynila',
    'Postcard of the plaza',
    'La Paz ranch photographs',
  ])('leaves %j in the main language, though its item is in Spanish alone', (text) => {
    expect(detectLanguage(text, { main: 'en', named: ['ja', 'es'] }, ['es'])).toBe('en');
  });

  it('does not expect the language of an item in two languages', () => {
    expect(detectLanguage('La pesca en el puerto', { main: 'en', named: ['es'] }, ['es', 'ja'])).toBe('en');
  });

  it('chooses between languages of one script by the item, then by the archive', () => {
    expect(detectLanguage('大正琴', { main: 'en', named: [] })).toBe('zh');
    expect(detectLanguage('大正琴', { main: 'en', named: ['ja'] })).toBe('ja');
    expect(detectLanguage('大正琴', { main: 'en', named: ['ja', 'zh'] }, ['zh'])).toBe('zh');
    expect(detectLanguage('Народився в селі', { main: 'en', named: [] }, ['uk'])).toBe('uk');
    expect(detectLanguage('Дом в деревне', { main: 'en', named: [] }, ['ja'])).toBe('ru');
  });

  it('reads English in an archive whose main language is another one', () => {
    const text = 'The family was removed from their farm, and later returned to find the house and the orchards sold.';
    expect(detectLanguage(text, { main: 'es', named: [] })).toBe('en');
    expect(detectLanguage(text, { main: 'ja', named: [] })).toBe('en');
    expect(detectLanguage('Una descripción de la vida en el campo', { main: 'es', named: [] })).toBe('es');
  });

  it('knows the main language by its tag with a region', () => {
    const text = 'Nasci em uma pequena aldeia, e morávamos perto do porto, onde todas as manhãs se ouvia o sino tocar.';
    expect(detectLanguage(text, { main: 'pt-BR', named: [] })).toBe('pt-BR');
    expect(detectLanguage('大正琴', { main: 'zh-Hant', named: [] })).toBe('zh-Hant');
  });

  it('knows Chinese and Japanese without kana by letters that only one of them has', () => {
    expect(detectLanguage('渔民的日记', { main: 'en', named: ['ja'] })).toBe('zh');
    expect(detectLanguage('渔民的日记', { main: 'en', named: ['ja'] }, ['ja'])).toBe('ja');
    expect(detectLanguage('鉄道駅前広場', { main: 'en', named: ['zh'] })).toBe('ja');
    expect(detectLanguage('鉄道駅前広場', { main: 'zh', named: [] })).toBe('zh');
    // In old books, Japanese has these letters too.
    expect(detectLanguage('臺灣鐵路與龍舟節', { main: 'en', named: ['ja'] })).toBe('ja');
    expect(detectLanguage('臺灣鐵路與龍舟節', { main: 'en', named: [] })).toBe('zh');
  });

  it('compares with no language that the archive does not name', () => {
    const french = 'Lettre de Marie Dupont à sa mère, écrite à Lyon pendant la guerre';
    expect(detectLanguage(french, { main: 'en', named: ['ja'] })).toBe('en');
  });

  it('has no language for text without letters', () => {
    for (const text of ['', '1942–1945', '… 12/7 …']) expect(detectLanguage(text, archive)).toBeUndefined();
  });

  it('returns a tag, the same each time, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const tag = detectLanguage(text, archive);
        expect(tag).toBe(detectLanguage(text, archive));
        if (tag !== undefined) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
      }),
    );
  });

  it('takes less than a millisecond', () => {
    const text = 'The ferry crossed the bay every morning before the school bell rang, as Ōta recalled. '.repeat(10_000);
    detectLanguage(text, archive);
    const start = process.cpuUsage();
    for (let i = 0; i < 200; i++) detectLanguage(text, archive, ['es']);
    expect(process.cpuUsage(start).user / 1000 / 200).toBeLessThan(1);
    const spanish = 'De la casa del pescador al puerto, y del puerto al mercado, con el pan y la sal. '.repeat(10);
    for (let i = 0; i < 200; i++) detectLanguage(spanish, { main: 'en', named: [] }, ['pt']);
    expect(process.cpuUsage(start).user / 1000 / 400).toBeLessThan(2);
  });
});

describe('decisiveLanguages', () => {
  it('is the same if languages of different scripts change their ranks', () => {
    expect(decisiveLanguages(['en', 'ja', 'fr', 'ru'])).toEqual(decisiveLanguages(['fr', 'ru', 'en', 'ja']));
  });

  it.each([
    [
      ['ru', 'uk'],
      ['uk', 'ru'],
    ],
    [
      ['zh', 'ja'],
      ['ja', 'zh'],
    ],
    [['en'], ['en', 'fr']],
  ])('is not the same for %j and %j', (a, b) => expect(decisiveLanguages(a)).not.toEqual(decisiveLanguages(b)));

  it('decides the language of every text', () => {
    const tags = fc.shuffledSubarray(['en', 'es', 'fr', 'ja', 'zh', 'yue', 'ru', 'uk', 'ar', 'fa', 'ko']);
    const text = fc.constantFrom(
      '港の祭り',
      '漁港',
      'Рыбаки и море',
      'الميناء القديم',
      'Les pêcheurs rentrent au port avec leurs filets',
      'Harbour',
    );
    fc.assert(
      fc.property(tags, text, (named, sample) => {
        const sorted = [...named].sort();
        if (JSON.stringify(decisiveLanguages(named)) !== JSON.stringify(decisiveLanguages(sorted))) return;
        expect(detectLanguage(sample, { main: 'en', named })).toBe(detectLanguage(sample, { main: 'en', named: sorted }));
      }),
    );
  });
});

it.each([
  ['Їжак і ґанок у Києві', 'uk'],
  ['Љубав на Ђердапу', 'sr'],
  ['Свеќа во Ѓуѓово', 'mk'],
  ['Қазақстан өңірі', 'kk'],
  ['Гэр ба өвөл', 'mn'],
  ['Дом у Белай вёскі, ў полі', 'be'],
  ['Дом в деревне', 'ru'],
  ['هەولێر', 'ckb'],
  ['پایتخت ایران', 'fa'],
  ['لاہور کی گلیاں ہیں', 'ur'],
  ['مدينة گدانسك القديمة', 'ar'],
  ['ייִדישע שול', 'yi'],
  ['בית ספר', 'he'],
])('tells the languages of one script by their letters: %s', (text, tag) => {
  expect(detectLanguage(text, { main: 'en', named: [] })).toBe(tag);
});

it.each([
  ['Łódki w porcie', 'pl'],
  ['Straßenbahn im Hafen', 'de'],
  ['Đường phố cũ', 'vi'],
  ['Letter from Łódź', 'en'],
  ['The café of the harbor', 'en'],
])('finds the only language of an item by the letters of a short title: %s', (text, tag) => {
  expect(detectLanguage(text, { main: 'en', named: [] }, [tag === 'en' ? 'pl' : tag])).toBe(tag);
});

it.each([
  ['מכתב מאת Harbor Commission Haifa Office', 'und'],
  ['مجموعة كل الخطوط (All scripts) 1920', 'und'],
  ['Letter to محمد about the trade of the harbor', 'en'],
  ['رسالة إلى Ahmed', 'ar'],
  ['Мост - Bridge of the city', 'en'],
])('has no language for %s unless it is sure, and then the direction of its first letter', (text, tag) => {
  expect(detectLanguage(text, { main: 'en', named: [] })).toBe(tag);
});
