/** The formats of export. */
import { format as api } from './api/index.ts';
import { format as bagit } from './bagit/index.ts';
import { format as ead } from './ead/index.ts';
import type { ExportFormat } from './export-format.ts';
import { format as iiif } from './iiif/index.ts';
import { format as tables } from './tables/index.ts';
import { format as wacz } from './wacz/index.ts';
import { format as zim } from './zim/index.ts';

/** All formats by name, in the order of the help. */
export const FORMATS = {
  bagit,
  wacz,
  zim,
  tables,
  iiif,
  api,
  ead,
} as const satisfies Readonly<Record<string, ExportFormat>>;
/** The name of a format. */
export type FormatName = keyof typeof FORMATS;
/** The names of all formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** Returns a format by name: that of sites if the package is to contain the site, and not the snapshot. */
export function formatOf(name: FormatName, fromSite: boolean): ExportFormat {
  const format: ExportFormat = FORMATS[name];
  return (fromSite && format.ofSite) || format;
}
