/** The formats of export. */

/** In the order of the help. */
export const EXPORT_FORMATS = ['bagit', 'zim'] as const;

/** A format of export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
