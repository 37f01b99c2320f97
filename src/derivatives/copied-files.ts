/** Selects the media files that a site has unchanged but for metadata (recordings, transcripts, originals); describes them. */
import type { Position } from '../model/coordinates.ts';
import type { Algorithm } from '../model/media/fixity.ts';
import { isPlayable, type NamedFile } from '../model/media/media.ts';
import { type MediaKind, mediaBasePath } from '../model/media/media-kinds.ts';
import { isTextType } from '../model/transcripts/read-transcript.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
import type { Lookup } from '../platform/lookup.ts';
import { shortHash } from '../platform/short-hash.ts';
import type { WebFile } from '../snapshot/web-files.ts';
import type { ImageSize } from './iiif.ts';
import type { PublishedCopy } from './published-copies.ts';
import type { ShownFile } from './shown-files.ts';
import type { Waveform } from './waveform.ts';

/** A media file that is shown as it is, except for metadata that was removed. */
export interface CopiedFile {
  /** Path in the site. */
  path: string;
  /** Path in the snapshot. */
  snapshotPath: string;
  /** Detected media type. */
  mimetype: string;
  /** In bytes. */
  size: number;
  /** Of the file in the site. */
  sha256: string;
  /** What was removed from its metadata, so that it is not as it was received. */
  removed?: PublishedCopy['removed'];
  /** Algorithms of the declared checksums that were verified when the file was downloaded; none if metadata was removed. */
  verifiedAlgorithms: Algorithm[];
  /** Whether the site contains the file. If not, a page may still show its text. */
  isDownloadable: boolean;
  /** Of an image, upright. */
  pixels?: ImageSize;
  /** Waveform of an audio file that plays. */
  waveform?: Waveform;
  /** Path on disk of a plain text file with the text of a PDF transcript. */
  textFile?: string;
  /** Path on disk of a file with the words of a PDF transcript and their places, as `readPdfWords` reads them. */
  wordsFile?: string;
  /** The names of the files that are attached to a PDF, as it gives them. */
  attachments?: string[];
  /** Whether it is of a scan in which no text was recognized. */
  isBlank?: boolean;
  /** The charset of a text file, for `decodeText`. */
  charset?: string;
  /** The targets of the links in an HTML transcript, as it gives them. */
  links?: string[];
  /** What a transcript says in other formats. */
  exports?: TextExport[];
  /** Of a transcript: the places in the index of its recording. */
  places?: IndexedPlace[];
  /** What browsers play instead of a recording that they do not play. */
  web?: CopiedFile;
}

/** A place of which a recording speaks from a moment on, by the index in the transcript of this ID. */
export interface IndexedPlace extends Position {
  id: string;
  /** In seconds. */
  start: number;
  name: string;
}

/** A text of a transcript in another format, as a file of the site. */
export interface TextExport {
  /** Path in the site. */
  path: string;
  format: 'WebVTT' | 'OHMS XML';
  /** What the text is, if its file says so. */
  kind?: TranscriptText['kind'];
  /** Position of the text among those of its file, from 0. */
  text: number;
  /** In bytes. */
  size: number;
}

/** Media types whose scripts a browser would run with the rights of the site. */
const ACTIVE_TYPES = /^text\/html$|[/+]xml$|^application\/(?:javascript|x-shockwave-flash|xhtml)/;
/** Added to the names of transcripts in XML, so that browsers show them as text and run nothing in them. */
const HARMLESS_EXTENSION = '.txt';
/** Media types of programs and installers. */
const EXECUTABLE_TYPES =
  /^application\/(?:x-msdownload|vnd\.microsoft\.portable-executable|x-dosexec|x\.ms\.shortcut|x-ms-shortcut|x-elf|x-mach-binary|java-vm|java-archive|x-apple-diskimage|x\.apple\.alias|vnd\.android\.package-archive|x-deb|x-rpm|x-google-chrome-extension|x-msi|wasm)$/;

/**
 * Describes the media files that the site shows, by upstream URL. `files` (path in the site → file on disk) leaves out programs
 * and active content. `copies` are those without metadata, by the SHA-256 of the file; `sizes` are those of images, by URL.
 */
export function listCopiedFiles(
  files: readonly ShownFile[],
  copies: ReadonlyMap<string, PublishedCopy>,
  webFiles: ReadonlyMap<string, WebFile> = new Map(),
  sizes: Readonly<Record<string, ImageSize>> = {},
) {
  const copiedFiles: Record<string, CopiedFile> = {};
  const webPaths = new Map<string, string>();
  const sourceByPath = new Map<string, ShownFile>();
  for (const sharers of Map.groupBy(files, ({ path }) => path).values()) {
    const [first] = sharers as [ShownFile];
    const standardPath = pathInSite(sharers);
    const path = sourceByPath.has(standardPath)
      ? standardPath.replace(/\.[^.]+$/, (ending) => `.${shortHash(first.sha256)}${ending}`)
      : standardPath;
    sourceByPath.set(path, first);
    const isDownloadable =
      path.endsWith(HARMLESS_EXTENSION) || (!ACTIVE_TYPES.test(first.mimetype) && !EXECUTABLE_TYPES.test(first.mimetype));
    const played = webFiles.get(first.sha256);
    const webPath = path.replace(/\.[^.]+$/, played?.mimetype === 'video/mp4' ? '.web.mp4' : '.web.m4a');
    if (played) webPaths.set(webPath, played.file);
    for (const row of sharers) {
      const { url, path: snapshotPath, mimetype, size, sha256, charset } = row;
      const copy = copies.get(sha256);
      const verified = copy ? null : row.verified;
      copiedFiles[url] = {
        path,
        snapshotPath,
        mimetype,
        size,
        sha256: copy?.sha256 ?? sha256,
        ...(copy && { removed: copy.removed }),
        verifiedAlgorithms: verified === null ? [] : (JSON.parse(verified) as Algorithm[]),
        isDownloadable,
        ...(charset && { charset: charset.name }),
        ...(Object.hasOwn(sizes, url) && { pixels: sizes[url] }),
        ...(played && { web: toCopiedFile(played, webPath) }),
      };
    }
    if (!isDownloadable) sourceByPath.delete(path);
  }
  return {
    copiedFiles: Object.fromEntries(Object.entries(copiedFiles).sort(([a], [b]) => (a < b ? -1 : 1))),
    files: new Map([
      ...[...sourceByPath].map(([path, { file, sha256 }]) => [path, copies.get(sha256)?.file ?? file] as const),
      ...webPaths,
    ]),
  };
}

function toCopiedFile({ path: snapshotPath, mimetype, size, sha256 }: WebFile, path: string): CopiedFile {
  return { path, snapshotPath, mimetype, size, sha256, verifiedAlgorithms: [], isDownloadable: true };
}

/**
 * Returns a file's path in the site: the one in the snapshot if it belongs to a record that shows the file. The extension follows
 * the detected media type; that of a transcript in XML ends in `.txt`.
 */
function pathInSite(sharers: readonly ShownFile[]): string {
  const [{ owner, kind, url, path, extension, mimetype }] = sharers as [ShownFile];
  const base = path.replace(/\.[^.]*$/, '');
  const recordPaths = sharers.flatMap((sharer) => [
    mediaBasePath(sharer.owner, sharer.kind as MediaKind, undefined),
    mediaBasePath(sharer.owner, sharer.kind as MediaKind, sharer.url),
  ]);
  const name = recordPaths.includes(base) ? base : mediaBasePath(owner, kind as MediaKind, url);
  const isText = isTextType(mimetype) || sharers.some((sharer) => sharer.kind === 'transcript');
  return `${name}.${extension}${/[+/]xml$/.test(mimetype) && isText ? HARMLESS_EXTENSION : ''}`;
}

/** Returns the recording that a record's page plays: a video, else an audio file, that the site has and browsers can play. */
export function findPlayable(
  media: readonly NamedFile[],
  copiedFiles: Lookup<CopiedFile>,
): { kind: 'video' | 'audio'; file: CopiedFile; url: string } | undefined {
  for (const kind of ['video', 'audio'] as const) {
    for (const { kind: fileKind, url } of media) {
      const copied = copiedFiles.get(url);
      const file = copied?.web ?? copied;
      const plays = fileKind === kind || (fileKind === 'original' && file?.mimetype.startsWith(`${kind}/`));
      if (plays && file?.isDownloadable && isPlayable(file.mimetype)) return { kind, file, url };
    }
  }
  return undefined;
}
