/** The setting `design`: how an archive's own site looks and what it says, from the configuration alone. */
import { z } from 'zod';
import { FACETS } from '../../model/facets.ts';
import { FIELDS, SECTIONS } from '../fields/fields.ts';
import * as values from './setting-values.ts';

/** The sections of the home page, in their usual order. */
export const HOME_SECTIONS = [
  'lead',
  'voice',
  'featured',
  'people',
  'exhibits',
  'guide',
  'timeline',
  'map',
  'day',
  'ways',
  'collections',
] as const;

/** Where a field can be shown: a section of a record's page, or nowhere. */
const PLACES = [...SECTIONS, 'none'] as const;
const FIELD_NAMES = FIELDS.map(({ name }) => name);
const COLOR_MESSAGE = 'must be a color such as "#7a3b1d", or two of them: {"light": "#7a3b1d", "dark": "#eca877"}';
const hex = z
  .string(COLOR_MESSAGE)
  .regex(/^#[0-9a-f]{6}$/i, COLOR_MESSAGE)
  .toLowerCase();
const color = z.union([hex, z.strictObject({ light: hex.optional(), dark: hex.optional() }, COLOR_MESSAGE)], COLOR_MESSAGE);
const FONT_KINDS = '.woff2, .woff, .ttf or .otf';
const FONT_MESSAGE = `must be the path of a font file (${FONT_KINDS}), or a list of up to 12 such as [{"file": "fonts/bold.woff2", "weight": 700}]`;
const WEIGHT_MESSAGE = 'must be a whole number from 1 to 1,000, or two of them for a variable font, as in "100 900"';
const FONT_STYLES = ['normal', 'italic'] as const;
const weight = z.union(
  [
    z.number(WEIGHT_MESSAGE).int(WEIGHT_MESSAGE).min(1, WEIGHT_MESSAGE).max(1_000, WEIGHT_MESSAGE),
    z
      .string(WEIGHT_MESSAGE)
      .regex(/^\d{1,4} \d{1,4}$/, WEIGHT_MESSAGE)
      .refine(isWeightRange, WEIGHT_MESSAGE),
  ],
  WEIGHT_MESSAGE,
);

/** Whether a text is two font weights, the lighter one first. */
function isWeightRange(text: string): boolean {
  const [lightest = 0, boldest = 0] = text.split(' ').map(Number);
  return lightest >= 1 && lightest <= boldest && boldest <= 1_000;
}

const fontFile = z.strictObject(
  {
    file: values.filePath(FONT_KINDS),
    weight: weight.optional(),
    style: z.enum(FONT_STYLES, values.oneOf(FONT_STYLES)).optional(),
  },
  'must be a font, as in {"file": "fonts/bold.woff2", "weight": 700}',
);
const font = z.union(
  [values.filePath(FONT_KINDS), z.array(fontFile, FONT_MESSAGE).min(1, FONT_MESSAGE).max(12, FONT_MESSAGE)],
  FONT_MESSAGE,
);
const LEAD_MESSAGE = 'must be the path of an image file, or a record as in {"record": "demo-org-1-2"}';
const CONTACT_MESSAGE = 'must be an e-mail address or a URL';
const FIELDS_MESSAGE =
  'must be a list such as [{"name": "creators", "label": "Photographer", "section": "summary"}], or the path of a CSV file with the columns name, label and section';
const fieldRow = z.strictObject(
  {
    name: z.enum(FIELD_NAMES as [string, ...string[]], values.oneOf(FIELD_NAMES)),
    label: values.localText(values.MAX_TITLE).optional(),
    section: z.enum(PLACES, values.oneOf(PLACES)).optional(),
  },
  'must be a field, as in {"name": "creators", "label": "Photographer"}',
);
/** Parses the rows of a table of fields. */
export const fieldRows = z.array(fieldRow, FIELDS_MESSAGE).superRefine(values.withoutRepeats(({ name }) => name, ['name']));
const facet = z.enum(FACETS, values.oneOf(FACETS));

/** How pages are arranged, if not as usual: for pictures, or for reading. Each is a style sheet in `layouts`. */
const LAYOUTS = ['gallery', 'reading-room'] as const;

/** The setting `design`. */
export const designSchema = z.strictObject(
  {
    title: values.localText(values.MAX_TITLE).optional(),
    tagline: values.localText(values.MAX_TEXT).optional(),
    logo: values.filePath('.svg, .png, .jpg or .webp').optional(),
    icon: values.filePath('.svg').optional(),
    leadImage: z
      .union([z.strictObject({ record: values.recordId }, LEAD_MESSAGE), values.filePath('.jpg, .png or .webp')], LEAD_MESSAGE)
      .optional(),
    layout: z.enum(LAYOUTS, values.oneOf(LAYOUTS)).optional(),
    colors: z
      .strictObject({ accent: color.optional(), paper: color.optional() }, 'must have colors, as in {"accent": "#7a3b1d"}')
      .optional(),
    fonts: z
      .strictObject(
        { text: font.optional(), headings: font.optional(), interface: font.optional() },
        'must have fonts, as in {"headings": "fonts/bold.woff2"}',
      )
      .optional(),
    footer: values.localText(values.MAX_TEXT).optional(),
    contact: z
      .string(CONTACT_MESSAGE)
      .regex(/^(?:https?:\/\/\S+|[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+)$/, { error: CONTACT_MESSAGE, abort: true })
      .refine((contact) => !/^https?:/.test(contact) || values.isWebUrl(contact), CONTACT_MESSAGE)
      .refine(values.hasNoPassword, values.PASSWORD_MESSAGE)
      .optional(),
    licenseNote: values.localText(values.MAX_TEXT).optional(),
    contributions: z.boolean('must be true or false').optional(),
    home: z
      .array(z.enum(HOME_SECTIONS, values.oneOf(HOME_SECTIONS)), `must be a list of sections: ${HOME_SECTIONS.join(', ')}`)
      .superRefine(values.withoutRepeats((section) => section))
      .optional(),
    fields: z.union([z.string().min(1, FIELDS_MESSAGE), fieldRows], FIELDS_MESSAGE).optional(),
    facets: z
      .array(facet, `must be a list of facets: ${FACETS.join(', ')}`)
      .min(1, 'must name at least one facet')
      .superRefine(values.withoutRepeats((name) => name))
      .optional(),
    facetLabels: z
      .partialRecord(
        facet,
        z.strictObject(
          { one: values.localText(values.MAX_TITLE), many: values.localText(values.MAX_TITLE) },
          'must have two labels, as in {"one": "Subject", "many": "Subjects"}',
        ),
        {
          error: 'must name facets, as in {"topic": {"one": "Subject", "many": "Subjects"}}',
        },
      )
      .optional(),
    stylesheet: values.filePath('.css').optional(),
  },
  'must have settings of the design, as in {"title": "Harbor Light Archive"}',
);

/** The setting `design`, checked. */
export type DesignSettings = z.infer<typeof designSchema>;
