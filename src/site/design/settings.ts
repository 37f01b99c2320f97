/** The setting `design`: how an archive's own site looks and what it says, from the configuration alone. */
import { z } from 'zod';
import { FACETS } from '../../catalogue/facets.ts';
import { isObjectId } from '../../model/ids.ts';
import { FIELDS, SECTIONS } from '../fields.ts';
import type { LocalText } from '../language/local-text.ts';
import { LANGUAGES } from '../language/locale.ts';

/** The sections of the home page, in their usual order. */
export const HOME_SECTIONS = ['lead', 'exhibits', 'featured', 'ways', 'day', 'timeline', 'map', 'collections'] as const;
/** One of `HOME_SECTIONS`. */
export type HomeSection = (typeof HOME_SECTIONS)[number];

/** Where a field can be shown: a section of a record's page, or nowhere. */
const PLACES = [...SECTIONS, 'none'] as const;
const FIELD_NAMES = FIELDS.map(({ name }) => name);
const MAX_TEXT = 2_000;
const MAX_TITLE = 200;

function text(max: number) {
  const message = `must be text of at most ${max.toLocaleString('en')} characters, or such texts by language, as in {"en": "…", "es": "…"}`;
  const one = z.string(message).trim().min(1, message).max(max, message);
  const byLanguage = z.strictObject(Object.fromEntries(LANGUAGES.map((language) => [language, one.optional()])), message);
  return z.union([one, byLanguage], message) as z.ZodType<LocalText>;
}

const file = (kinds: string) => z.string(`must be the path of a file (${kinds})`).min(1, `must be the path of a file (${kinds})`);
const COLOR_MESSAGE = 'must be a color such as "#7a3b1d", or two of them: {"light": "#7a3b1d", "dark": "#eca877"}';
const hex = z
  .string(COLOR_MESSAGE)
  .regex(/^#[0-9a-f]{6}$/i, COLOR_MESSAGE)
  .toLowerCase();
const color = z.union([hex, z.strictObject({ light: hex.optional(), dark: hex.optional() })], COLOR_MESSAGE);
const FONT_KINDS = '.woff2, .woff, .ttf or .otf';
const font = z.union(
  [
    file(FONT_KINDS),
    z
      .array(
        z.strictObject({
          file: file(FONT_KINDS),
          weight: z.union([z.number().int().min(1).max(1_000), z.string().regex(/^\d{1,4} \d{1,4}$/)]).optional(),
          style: z.enum(['normal', 'italic']).optional(),
        }),
      )
      .min(1)
      .max(12),
  ],
  `must be the path of a font file (${FONT_KINDS}), or a list such as [{"file": "fonts/bold.woff2", "weight": 700}]`,
);
const oneOf = (names: readonly string[]) => `must be one of ${names.map((name) => `"${name}"`).join(', ')}`;
const FIELDS_MESSAGE =
  'must be a list such as [{"name": "creators", "label": "Photographer", "section": "summary"}], or the path of a CSV file with the columns name, label and section';
const fieldRow = z.strictObject({
  name: z.enum(FIELD_NAMES as [string, ...string[]], oneOf(FIELD_NAMES)),
  label: text(MAX_TITLE).optional(),
  section: z.enum(PLACES, oneOf(PLACES)).optional(),
});
const facet = z.enum(FACETS, oneOf(FACETS));
const recordId = z.string().refine(isObjectId, 'must be the ID of a record such as demo-org-1-2');

/** The setting `design`. */
export const designSchema = z.strictObject({
  title: text(MAX_TITLE).optional(),
  tagline: text(MAX_TEXT).optional(),
  logo: file('.svg, .png, .jpg or .webp').optional(),
  icon: file('.svg').optional(),
  leadImage: z
    .union([z.strictObject({ record: recordId }), file('.jpg, .png or .webp')], {
      error: 'must be the path of an image file, or a record as in {"record": "demo-org-1-2"}',
    })
    .optional(),
  colors: z.strictObject({ accent: color.optional(), paper: color.optional() }).optional(),
  fonts: z.strictObject({ text: font.optional(), headings: font.optional(), interface: font.optional() }).optional(),
  footer: text(MAX_TEXT).optional(),
  contact: z
    .string()
    .regex(/^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+\.[^\s@]+)$/, 'must be an e-mail address or a URL')
    .optional(),
  licenseNote: text(MAX_TEXT).optional(),
  home: z
    .array(z.enum(HOME_SECTIONS, oneOf(HOME_SECTIONS)), `must be a list of sections: ${HOME_SECTIONS.join(', ')}`)
    .optional(),
  fields: z.union([z.string(), z.array(fieldRow)], FIELDS_MESSAGE).optional(),
  facets: z
    .array(facet, `must be a list of facets: ${FACETS.join(', ')}`)
    .min(1, 'must name at least one facet')
    .optional(),
  facetLabels: z
    .partialRecord(facet, z.strictObject({ one: text(MAX_TITLE), many: text(MAX_TITLE) }), {
      error: 'must name facets, as in {"topic": {"one": "Subject", "many": "Subjects"}}',
    })
    .optional(),
  stylesheet: file('.css').optional(),
});

/** The setting `design`, checked. */
export type DesignSettings = z.infer<typeof designSchema>;
/** A row of the table of fields. */
export type FieldSetting = z.infer<typeof fieldRow>;

/** Parses the rows of a table of fields. */
export const fieldRows = z.array(fieldRow);
