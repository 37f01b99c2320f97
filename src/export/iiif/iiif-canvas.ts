/** Describes an image or a recording as a canvas of an IIIF manifest. */
import { iiifPath } from '../../catalogue/urls.ts';
import { MAX_FULL_SIZE } from '../../derivatives/iiif.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { INDEX_LANGUAGES, indexText, pointTitle } from '../../model/transcripts/index-points.ts';
import { lineText } from '../../model/transcripts/scanned-pages.ts';
import { formatDuration, parseDuration } from '../../platform/quantities.ts';
import type { ObjectContent } from '../../site/content.ts';
import type { SiteImage } from '../../site/images.ts';
import { CAPTION_TYPE, type CanvasFile, type CanvasRecording, type CanvasSource } from '../../site/parts/media/iiif-canvases.ts';
import type { DisplayImage } from '../../site/parts/media/media-files.ts';
import type { PlacedPage } from '../../site/parts/media/scanned-texts.ts';
import * as parts from './iiif-parts.ts';

/** Pixels of a video whose record states none: players scale it. */
const VIDEO_SIZE = { width: 640, height: 480 };

/**
 * Returns a canvas, and ranges for the points of the index of its recording. `isPart`: the IIIF manifest is that of another
 * record, so the canvas has its own files to download. `scans`: the texts of its image.
 */
export function createCanvas(
  canvas: CanvasSource,
  isPart: boolean,
  source: parts.IiifSource,
  scans: readonly PlacedPage[] = [],
): { canvas: parts.Json; points: parts.Json[] } {
  const { entry, image, recording, files } = canvas;
  const { site, texts } = source;
  const content = recording && source.content.object(entry, 1);
  const id = `${parts.urlOf(iiifPath(entry.id, 'canvas'), site)}${canvas.at === 0 ? '' : `/${canvas.at + 1}`}`;
  const painted = recording && content ? createRecording(recording, content.record, image, site) : undefined;
  const size = painted?.size ?? imageSize(image as DisplayImage);
  const captions = content ? canvas.captions.map((file) => [captionBody(file, content, canvas, source), id] as const) : [];
  const still = recording && image ? stillCanvas(id, recording, image, site) : {};
  const described = {
    id,
    type: 'Canvas',
    label: texts.text(entry.title, entry),
    ...size,
    ...still,
    ...(isPart ? parts.optionalRenderings(files, source) : {}),
    ...parts.optionalList('thumbnail', parts.thumbnailsOf(entry, [canvas], site)),
    items: annotationPages(id, 'painting', { content: [[painted?.body ?? imageBody(image as DisplayImage, site), id]] }),
    ...parts.optionalList(
      'annotations',
      annotationPages(id, 'supplementing', { captions, text: describeLines(id, scans, size) }),
    ),
  };
  return { canvas: described, points: createPoints(id, Number(size['duration'] ?? 0), canvas, content, source) };
}

/**
 * Returns the points of the index of a recording, with their titles and synopses in the languages that they have. Source:
 * https://iiif.io/api/cookbook/recipe/0026-toc-opera/
 */
function createPoints(
  canvas: string,
  seconds: number,
  { entry }: CanvasSource,
  content: ObjectContent | undefined,
  { texts }: parts.IiifSource,
): parts.Json[] {
  const points = [...(content?.texts.values() ?? [])].flat().flatMap(({ index }) => index?.points ?? []);
  return points
    .filter(({ start }) => start < seconds)
    .map((point, i) => {
      const titles = INDEX_LANGUAGES.map((language) => pointTitle(point, language)).filter(Boolean);
      const synopses = INDEX_LANGUAGES.map((language) => indexText(point.fields, 'synopsis', language)).filter(Boolean);
      return {
        id: `${canvas.replace(/canvas$/, 'range')}/${i + 1}`,
        type: 'Range',
        label: texts.text(titles.length > 0 ? titles : formatDuration(point.start), entry),
        ...(synopses.length > 0 ? { summary: texts.text(synopses, entry) } : {}),
        items: [{ id: `${canvas}#t=${point.start},${Math.min(point.end ?? seconds, seconds)}`, type: 'Canvas' }],
      };
    });
}

/** Maximum lines of a scanned page. */
const MAX_LINES = 2_000;

/** Returns the lines of a scan, each with the region of the canvas on which it is. */
function describeLines(canvas: string, pages: readonly PlacedPage[], { width, height }: parts.Json): Target[] {
  const lines = pages.flatMap(({ paragraphs }) => paragraphs.flat()).slice(0, MAX_LINES);
  return lines.map((words) => {
    const body = { type: 'TextualBody', value: lineText(words), format: 'text/plain' };
    const region = words.reduce<readonly number[]>((around, { boxes: [box] }) => {
      if (!box) return around;
      const [left = 1000, top = 1000, right = 0, bottom = 0] = around;
      const [x, y, w, h] = box;
      return [Math.min(left, x), Math.min(top, y), Math.max(right, x + w), Math.max(bottom, y + h)];
    }, []);
    const [x = 0, y = 0, right = 0, bottom = 0] = region.map((edge, i) =>
      Math.round((edge * Number(i % 2 ? height : width)) / 1000),
    );
    return [body, region.length > 0 ? `${canvas}#xywh=${x},${y},${right - x},${bottom - y}` : canvas];
  });
}

/** The body of an annotation, and what it is on. */
type Target = readonly [body: parts.Json, target: string];

/** Returns the property for pages of annotations, if there are some. */
function annotationPages(canvas: string, motivation: string, named: Readonly<Record<string, readonly Target[]>>): parts.Json[] {
  return Object.entries(named).flatMap(([name, targets]) => {
    const id = `${canvas}/${name}`;
    const items = targets.map(([body, target], i) => ({ id: `${id}/${i + 1}`, type: 'Annotation', motivation, body, target }));
    return items.length > 0 ? [{ id, type: 'AnnotationPage', items }] : [];
  });
}

/**
 * Returns a recording as the body of an annotation, and the size of its canvas. Source:
 * https://iiif.io/api/cookbook/recipe/0003-mvm-video/
 */
function createRecording(
  { kind, file, url, seconds }: CanvasRecording,
  { ia_meta: media }: ArchivalRecord,
  image: SiteImage | undefined,
  site: parts.IiifSource['site'],
): { body: parts.Json; size: parts.Json } {
  const stated = media?.files.find((each) => each.url === url);
  const pixels =
    stated?.width && stated.height
      ? { width: Math.round(stated.width), height: Math.round(stated.height) }
      : image
        ? { width: image.width, height: image.height }
        : VIDEO_SIZE;
  // What ffmpeg measured is exact. A record may state the length of the interview, and its file that of the file.
  const own = file.waveform ? undefined : parseDuration(stated?.length);
  const size = { ...(kind === 'video' ? pixels : {}), duration: own !== undefined && own > 0 ? own : seconds };
  const type = kind === 'video' ? 'Video' : 'Sound';
  const format = kind === 'audio' && file.mimetype === 'video/ogg' ? 'audio/ogg' : file.mimetype;
  return { body: { id: parts.urlOf(file.path, site), type, format, ...size }, size };
}

/** Returns the image beside a sound, or before a video starts. */
function stillCanvas(canvas: string, { kind }: CanvasRecording, image: DisplayImage, site: parts.IiifSource['site']): parts.Json {
  const name = kind === 'audio' ? 'accompanyingCanvas' : 'placeholderCanvas';
  const id = `${canvas}/still`;
  const items = annotationPages(id, 'painting', { content: [[imageBody(image, site), id]] });
  return { [name]: { id, type: 'Canvas', ...imageSize(image), items } };
}

function imageSize(image: DisplayImage): parts.Json {
  const { width, height } = image.tiles ?? image.jpeg ?? image;
  return { width, height };
}

/** Returns an image as the body of an annotation: its tiles, else the JPEG file as received, else the display image. */
function imageBody(image: DisplayImage, site: parts.IiifSource['site']): parts.Json {
  const { tiles } = image;
  if (!tiles) return parts.imageResource(image.jpeg ?? image, site);
  const service = parts.urlOf(tiles.path, site);
  const scale = Math.min(1, MAX_FULL_SIZE / Math.max(tiles.width, tiles.height));
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return {
    id: `${service}/full/max/0/default.jpg`,
    type: 'Image',
    format: 'image/jpeg',
    width: pixels(tiles.width),
    height: pixels(tiles.height),
    service: [{ id: service, type: 'ImageService3', profile: 'level0' }],
  };
}

function captionBody(
  { title, file, exported }: CanvasFile,
  { texts: read }: ObjectContent,
  { entry }: CanvasSource,
  source: parts.IiifSource,
): parts.Json {
  const { site, texts } = source;
  const spoken = (read.get(file.path)?.[exported?.text ?? 0]?.cues ?? [])
    .slice(0, 20)
    .map(({ text }) => text)
    .join(' ');
  const [language] = spoken === '' ? [] : Object.keys(texts.text(spoken, entry)).filter((tag) => tag !== 'none');
  return {
    id: parts.urlOf((exported ?? file).path, site),
    type: 'Text',
    format: CAPTION_TYPE,
    label: title === undefined ? texts.label((t) => t.recording.captions) : texts.text(title, entry),
    ...(language === undefined ? {} : { language }),
  };
}
