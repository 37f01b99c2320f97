/** Reads the setting `design` and the files that it names, and checks them before anything is built. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { checkerOf, type SettingProblem } from '../model/setting-problem.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { type ColorPair, contrastProblems, DEFAULT_PALETTE, type Palette, paletteCss } from '../site/design/colors.ts';
import type { Design, DesignedField } from '../site/design/design.ts';
import { type FontFace, type FontRole, fontCss } from '../site/design/fonts.ts';
import { type DesignSettings, designSchema, fieldRows, HOME_SECTIONS } from '../site/design/settings.ts';
import { stylesheetProblems } from './check-stylesheet.ts';
import { svgProblem } from './check-svg.ts';
import { createFileReader, measureImage, readShownImage, type SettingFiles } from './setting-files.ts';

/** The style sheets of the layouts. */
const LAYOUTS = join(import.meta.dirname, '../site/design/layouts');

/** A design, and its files. */
export interface ReadDesign {
  design: Design;
  /** Files of the site by path. */
  files: ReadonlyMap<string, Buffer>;
  /** The icon, as SVG, if it is not the usual one. */
  icon: Buffer | undefined;
  /** The image of the home page, of any format. A build makes `design.leadImage` from it, if it makes anything. */
  lead: Buffer | undefined;
  /** Called with what is wrong in the setting. Throws if anything is. */
  report: (problems: readonly SettingProblem[]) => void;
}

/** Files larger than this slow every page down. */
const MAX_SIZE = { logo: 500_000, icon: 200_000, font: 5_000_000, stylesheet: 500_000, lead: 50_000_000, table: 1_000_000 };

/**
 * Reads a design. Paths are relative to `directory`. `report` is called with what is wrong, such as files that cannot be used,
 * and colors in which text could not be read; it throws.
 */
export async function readDesign(value: unknown, directory: string, report: ReadDesign['report']): Promise<ReadDesign> {
  report(checkerOf('design', designSchema)(value));
  const settings = designSchema.parse(value);
  const problems: SettingProblem[] = [];
  const reader = createFileReader('design', directory, problems);
  const palette = paletteOf(settings);
  problems.push(...(settings.colors ? contrastProblems(palette) : []));
  const files = new Map<string, Buffer>();
  const logo = await readLogo(settings, reader, files);
  const lead = await readLead(settings, reader);
  const icon = await readIcon(settings, reader);
  const layout = settings.layout === undefined ? '' : readFileSync(join(LAYOUTS, `${settings.layout}.css`), 'utf8');
  const colors = settings.colors ? `:root { ${paletteCss(palette)} }` : '';
  const fonts = fontCss(readFonts(settings, reader, files));
  const own = readStylesheet(settings, reader);
  const fields = readFields(settings, reader);
  report(problems);
  const hashed = createHash('sha256').update(JSON.stringify([settings, layout, fields, own]));
  for (const bytes of [...files.values(), icon, lead]) if (bytes) hashed.update(bytes);
  return {
    design: {
      ...settings,
      logo,
      leadImage: undefined,
      leadRecord: typeof settings.leadImage === 'object' ? settings.leadImage.record : undefined,
      home: settings.home ?? HOME_SECTIONS,
      fields,
      facetLabels: settings.facetLabels ?? {},
      palette,
      css: [layout, colors, fonts, own].filter(Boolean).join('\n'),
      inlineCss: [layout, colors, own].filter(Boolean).join('\n'),
      style: undefined,
      hash: hashed.digest('hex'),
    },
    files,
    icon,
    lead,
    report,
  };
}

function paletteOf({ colors }: DesignSettings): Palette {
  const pair = (color: NonNullable<DesignSettings['colors']>['accent'], usual: ColorPair): ColorPair =>
    typeof color === 'string'
      ? { ...usual, light: color }
      : { light: color?.light ?? usual.light, dark: color?.dark ?? usual.dark };
  return {
    accent: pair(colors?.accent, DEFAULT_PALETTE.accent),
    paper: pair(colors?.paper, DEFAULT_PALETTE.paper),
  };
}

async function readLogo({ logo }: DesignSettings, reader: SettingFiles, files: Map<string, Buffer>) {
  const image = logo === undefined ? undefined : await readShownImage('logo', logo, MAX_SIZE.logo, reader);
  if (!image) return undefined;
  const path = `assets/logo.${image.extension}`;
  files.set(path, image.bytes);
  return { path, width: image.width, height: image.height };
}

async function readIcon({ icon }: DesignSettings, reader: SettingFiles): Promise<Buffer | undefined> {
  const bytes = icon === undefined ? undefined : reader.read('icon', icon, MAX_SIZE.icon);
  if (!bytes) return undefined;
  const isSvg = (await measureImage(bytes))?.format === 'svg';
  const problem = isSvg ? svgProblem(bytes) : ' is not an SVG image.';
  if (problem === undefined) return bytes;
  reader.addProblem('icon', `${toPrintable(icon ?? '', 200)}${problem}`);
  return undefined;
}

async function readLead({ leadImage }: DesignSettings, reader: SettingFiles): Promise<Buffer | undefined> {
  const bytes = typeof leadImage === 'string' ? reader.read('leadImage', leadImage, MAX_SIZE.lead) : undefined;
  if (!bytes) return undefined;
  if (await measureImage(bytes)) return bytes;
  reader.addProblem('leadImage', `${toPrintable(String(leadImage), 200)} is not an image that can be read.`);
  return undefined;
}

function readFonts({ fonts = {} }: DesignSettings, reader: SettingFiles, files: Map<string, Buffer>): FontFace[] {
  return Object.entries(fonts).flatMap(([role, font]) => {
    if (font === undefined) return [];
    const faces = typeof font === 'string' ? [{ file: font, weight: undefined, style: undefined }] : font;
    return faces.flatMap(({ file, weight, style }): FontFace[] => {
      const setting = `fonts.${role}`;
      const bytes = reader.read(setting, file, MAX_SIZE.font);
      if (!bytes) return [];
      const extension = extname(file).toLowerCase();
      if (!isFont(bytes, extension)) {
        reader.addProblem(
          setting,
          `${toPrintable(file, 200)} is not a font file (.woff2, .woff, .ttf or .otf), or not a whole one.`,
        );
        return [];
      }
      const name = `fonts/${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}${extension}`;
      files.set(`assets/${name}`, bytes);
      return [{ role: role as FontRole, name, weight, style }];
    });
  });
}

function readStylesheet({ stylesheet }: DesignSettings, reader: SettingFiles): string {
  const bytes = stylesheet === undefined ? undefined : reader.read('stylesheet', stylesheet, MAX_SIZE.stylesheet);
  if (!bytes) return '';
  const css = bytes.toString('utf8').replace(/^\ufeff/, '');
  for (const problem of isUtf8(bytes) ? stylesheetProblems(css) : [' is not in UTF-8. Save the file in this encoding.'])
    reader.addProblem('stylesheet', `${toPrintable(stylesheet ?? '', 200)}${problem}`);
  return css;
}

/** Returns the character between the columns of a table: spreadsheets of some languages write semicolons, or tabs. */
function delimiterOf(bytes: Buffer): string {
  const [names = ''] = bytes.toString('utf8').split('\n', 1);
  return [',', ';', '\t'].find((delimiter) => names.includes(delimiter)) ?? ',';
}

function readFields({ fields }: DesignSettings, reader: SettingFiles): DesignedField[] {
  if (fields === undefined) return [];
  if (typeof fields !== 'string') return fields.map(({ name, label, section }) => ({ name, label, section }));
  const bytes = reader.read('fields', fields, MAX_SIZE.table);
  if (!bytes) return [];
  const shown = toPrintable(fields, 200);
  const refuse = (problem: string): DesignedField[] => {
    reader.addProblem('fields', `${shown}${problem}`);
    return [];
  };
  if (!isUtf8(bytes)) return refuse(' is not in UTF-8. Save the file in this encoding.');
  let rows: TableRow[];
  try {
    const options = { bom: true, trim: true, skip_empty_lines: true, info: true, delimiter: delimiterOf(bytes) } as const;
    rows = parseCsv(bytes, { ...options, columns: uniqueColumns }) as unknown as TableRow[];
  } catch (error) {
    return refuse(describeTableMistake(error as CsvMistake));
  }
  if (rows.length === 0)
    return refuse(' has no rows. Its first line has the names of the columns: name, label and section; each other line a field.');
  const filled = rows.map(({ record }) => Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== '')));
  const parsed = fieldRows.safeParse(filled);
  const unknown = new Set(
    (parsed.error?.issues ?? []).flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])),
  );
  for (const column of unknown)
    reader.addProblem('fields', `${shown}: the column "${toPrintable(column, 60)}" must be name, label or section.`);
  for (const { path, message, code } of parsed.error?.issues ?? []) {
    if (code === 'unrecognized_keys') continue;
    const [row, column] = path;
    const where = `${shown}, line ${firstLineOf(rows[Number(row)])}`;
    reader.addProblem('fields', `${where}: "${String(column)}" ${message}.`);
  }
  return (parsed.data ?? []).map(({ name, label, section }) => ({ name, label, section }));
}

/** A row of a table, and the number of lines of the file up to its end. */
interface TableRow {
  record: Record<string, string>;
  info: { lines: number };
}

/** Returns the line on which a row begins. A value in quotation marks may have several lines. */
function firstLineOf(row: TableRow | undefined): number {
  if (!row) return 1;
  const breaks =
    Object.values(row.record)
      .join('')
      .match(/\r\n|\r|\n/g) ?? [];
  return row.info.lines - breaks.length;
}

/** @throws {Error} if two columns have the same name */
function uniqueColumns(names: string[]): string[] {
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated !== undefined) throw Object.assign(new Error(`the column "${repeated}" is there twice`), { lines: 1 });
  return names;
}

/** An error of csv-parse: its code, and the line in the file. */
type CsvMistake = Error & { code?: string; lines?: number };

/** Returns what is wrong in a table, as the end of a sentence that begins with the name of its file. */
function describeTableMistake({ code = '', lines, message }: CsvMistake): string {
  if (lines === undefined) return ` cannot be read: ${toPrintable(message)}.`;
  if (code.startsWith('CSV_RECORD_INCONSISTENT'))
    return `, line ${lines}: it has not as many values as the first line has columns.`;
  if (/QUOTE/.test(code)) return `, line ${lines}: a quotation mark is missing, or one within a text is not doubled.`;
  return `, line ${lines}, cannot be read: ${toPrintable(message)}.`;
}

/**
 * First bytes by extension: https://www.w3.org/TR/WOFF2/, https://www.w3.org/TR/WOFF/,
 * https://learn.microsoft.com/typography/opentype/spec/otff.
 */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  '.woff2': ['774f4632'],
  '.woff': ['774f4646'],
  '.ttf': ['00010000', '74727565'],
  '.otf': ['4f54544f'],
};
/** Of the header of WOFF and WOFF2: the file's length. */
const LENGTH_AT = 8;
/** Of other fonts: the number of tables, and the entries of the tables: tag, checksum, offset and length. */
const [TABLE_COUNT_AT, TABLES_AT, ENTRY_SIZE] = [4, 12, 16];
/** Tables that a browser needs. */
const REQUIRED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

/** Returns whether a browser can use a file as a font. `extension` is in lower case, with its dot. */
export function isFont(bytes: Buffer, extension: string): boolean {
  if (!SIGNATURES[extension]?.includes(bytes.subarray(0, 4).toString('hex'))) return false;
  if (bytes.length < TABLES_AT) return false;
  return extension.startsWith('.woff') ? bytes.readUInt32BE(LENGTH_AT) === bytes.length : hasTables(bytes);
}

function hasTables(bytes: Buffer): boolean {
  const count = bytes.readUInt16BE(TABLE_COUNT_AT);
  if (TABLES_AT + count * ENTRY_SIZE > bytes.length) return false;
  const entries = Array.from({ length: count }, (_, i) =>
    bytes.subarray(TABLES_AT + i * ENTRY_SIZE, TABLES_AT + (i + 1) * ENTRY_SIZE),
  );
  const tags = entries.map((entry) => entry.toString('latin1', 0, 4));
  const isWhole = entries.every((entry) => entry.readUInt32BE(8) + entry.readUInt32BE(12) <= bytes.length);
  return isWhole && REQUIRED.every((tag) => tags.includes(tag));
}
