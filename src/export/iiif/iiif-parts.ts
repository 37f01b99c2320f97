/** The parts that IIIF manifests, Collections and canvases share. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { CopiedFile } from '../../derivatives/copied-files.ts';
import type { ContentReader } from '../../site/content.ts';
import type { SiteImage } from '../../site/images.ts';
import { findPreview } from '../../site/parts/cards/record-thumbnail.ts';
import type { CanvasFile, CanvasSource } from '../../site/parts/media/iiif-canvases.ts';
import type { Site } from '../../site/site.ts';
import type { createIiifTexts, LanguageMap } from './iiif-text.ts';

/** A part of an IIIF resource, as JSON. */
export type Json = Record<string, unknown>;

/** What IIIF resources are made from. */
export interface IiifSource {
  /** The site at the top, whose paths need no prefix; its URL is known. */
  site: Site & { siteUrl: string };
  content: Pick<ContentReader, 'object'>;
  texts: ReturnType<typeof createIiifTexts>;
}

/** The value of `@context`. */
export const IIIF_CONTEXT = 'http://iiif.io/api/presentation/3/context.json';

/** Returns an absolute URL. */
export const urlOf = (path: string, { siteUrl }: Pick<IiifSource['site'], 'siteUrl'>): string => new URL(path, siteUrl).href;

/** Returns a link to a page. */
export function webPage(id: string, label: LanguageMap, language?: string): Json {
  return { id, type: 'Text', label, format: 'text/html', ...(language === undefined ? {} : { language: [language] }) };
}

/** Returns a property, if the list is not empty. */
export const optionalList = (name: string, items: readonly Json[]): Json => (items.length > 0 ? { [name]: items } : {});

/** Returns the first image of a record or of its canvases as a thumbnail. A content warning covers it. */
export function thumbnailsOf(entry: ListedEntry, sources: readonly CanvasSource[], site: IiifSource['site']): Json[] {
  const found = [entry, ...sources.map((canvas) => canvas.entry)]
    .map((each) => findPreview(each, site))
    .find((images) => images !== undefined);
  return found ? [imageResource(found.thumb, site)] : [];
}

/** Returns an image of the site. */
export function imageResource({ path, width, height }: SiteImage, site: IiifSource['site']): Json {
  return {
    id: urlOf(path, site),
    type: 'Image',
    format: `image/${path.slice(path.lastIndexOf('.') + 1).replace('jpg', 'jpeg')}`,
    width,
    height,
  };
}

/** Returns the property for files to download. */
export function optionalRenderings(files: readonly CanvasFile[], source: IiifSource): Json {
  const renderings = files.map((file) => createRendering(file, source));
  return optionalList('rendering', renderings);
}

function createRendering({ title, file }: CanvasFile, { site, texts }: IiifSource): Json {
  const { path, mimetype, size } = file;
  const extension = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
  const label = texts.label((_, locale) => `${extension}, ${locale.formatBytes(size)}`);
  return {
    id: urlOf(path, site),
    type: typeOf(file),
    label: title === undefined ? label : texts.text(`${title} (${extension})`),
    format: mimetype,
  };
}

function typeOf({ mimetype }: CopiedFile): string {
  if (mimetype.startsWith('image/')) return 'Image';
  if (mimetype.startsWith('audio/')) return 'Sound';
  if (mimetype.startsWith('video/')) return 'Video';
  return mimetype.startsWith('text/') || mimetype === 'application/pdf' ? 'Text' : 'Dataset';
}
