/** The formats of export. */

/** In the order of the help. */
export const EXPORT_FORMATS = ['bagit', 'wacz', 'zim', 'tables', 'iiif', 'api', 'ead'] as const;

/** A format of export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Formats that contain absolute URLs, so that they need the URL at which they will be hosted. */
export const FORMATS_WITH_URLS: ReadonlySet<ExportFormat> = new Set(['iiif', 'api']);

/** Formats that can be signed. */
export const SIGNED_FORMATS: ReadonlySet<ExportFormat> = new Set(['bagit', 'wacz']);

/** The format in the identity of a WACZ of a site, from which no snapshot can be made. */
export const WACZ_SITE_FORMAT = 'wacz-site';
