import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTranslations } from './translations.ts';

it('reads fields in other languages, and texts by language', () => {
  expect(
    readTranslations({
      title: 'Nets',
      title_ja: '網',
      description_jpn: '港の網。',
      title_sort: 'nets',
      title_xx: 'x',
      title_alt: 'The nets',
      title_id: '48213',
    }),
  ).toEqual([{ language: 'ja', title: '網', description: '港の網。' }]);
  expect(readTranslations({ title: { en: 'Nets', 'es-MX': 'Redes' }, description: { fr: 'Filets', en: 'Nets' } })).toEqual([
    { language: 'es-MX', title: 'Redes' },
    { language: 'fr', description: 'Filets' },
  ]);
  const ofJsonLd = [
    { '@value': 'Nets', '@language': 'en' },
    { '@value': 'Netze', '@language': 'de' },
  ];
  expect(readTranslations({ title: ofJsonLd })).toEqual([{ language: 'de', title: 'Netze' }]);
});

it('keeps scripts and regions, and no markup in titles', () => {
  expect(
    readTranslations({ title: { en: 'Harbor', 'zh-Hans': '港口', 'zh-Hant': '港灣' }, title_pt_BR: '<i>Porto</i> &amp; cais' }),
  ).toEqual([
    { language: 'pt-BR', title: 'Porto & cais' },
    { language: 'zh-Hans', title: '港口' },
    { language: 'zh-Hant', title: '港灣' },
  ]);
});

it('takes nothing for a region or script that is none', () => {
  expect(readTranslations({ title: 'Nets', title_en_alt: 'The nets', title_ja_two: '網' })).toEqual([]);
  expect(readTranslations({ title: { en: 'Nets', 'fr-abc': 'Filets' } })).toEqual([]);
});

it('reads nothing that repeats the field itself, and nothing of other forms', () => {
  expect(readTranslations({ title: 'Nets', title_es: 'Nets', description_ja: '', title_fr: null })).toEqual([]);
  expect(readTranslations({ title: { '@value': 'Nets', '@language': 'en' } })).toEqual([]);
});

it('reads any JSON without an error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (title, other) => {
      for (const { language } of readTranslations({ title, title_ja: other, description: other })) expect(language).not.toBe('');
    }),
  );
});
