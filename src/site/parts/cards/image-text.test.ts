import { expect, it } from 'vitest';
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { createLocales, LANGUAGES, type Language } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { describeImage } from './image-text.ts';

const item = { id: 'a-b-1-1', model: 'entity', title: 'The quay', genre: undefined, format: undefined, parent: 'a-b-1' } as const;
const locales = createLocales(LANGUAGES);

function describe(more: Partial<ObjectEntry>, language: Language = 'en'): string {
  const locale = locales.find((one) => one.language === language);
  const relations = { object: (id: string) => (id === item.id ? { ...item, genre: 'photograph' } : undefined) };
  return describeImage({ ...item, ...more }, { locale, relations } as unknown as Site);
}

it.each([
  [{ genre: 'photograph' }, 'Photograph: The quay'],
  [{ genre: 'correspondence', format: 'doc' }, 'Correspondence: The quay'],
  [{ genre: 'Glass plate' }, 'Glass plate: The quay'],
  [{ genre: 'constructor' }, 'Constructor: The quay'],
  [{ format: 'doc' }, 'Document: The quay'],
  [{ format: 'vh', model: 'segment' as const }, 'Interview: The quay'],
  [{ format: 'unknown' }, 'Image: The quay'],
  [{}, 'Image: The quay'],
  [{ genre: 'photograph', title: 'Photograph of the quay' }, 'Photograph of the quay'],
  [{ model: 'collection' as const, genre: 'photograph' }, 'Collection: The quay'],
  [{ model: 'file' as const, parent: item.id, title: 'quay_0012.tif' }, 'Photograph: The quay'],
  [{ model: 'file' as const, parent: item.id, title: 'Verso' }, 'Image: Verso'],
  [{ model: 'file' as const, parent: 'unknown', title: 'quay.tif' }, 'Image: quay.tif'],
])('describes the image of %j as “%s”', (more, text) => expect(describe(more)).toBe(text));

it('is in the language of the page', () => {
  expect([describe({ genre: 'photograph' }, 'es'), describe({}, 'es')]).toEqual(['Fotografía: The quay', 'Imagen: The quay']);
  expect([describe({ genre: 'photograph' }, 'ja'), describe({ format: 'doc' }, 'ja')]).toEqual([
    '写真：The quay',
    '文書：The quay',
  ]);
});
