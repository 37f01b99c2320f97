/** The recordings, texts and originals of the snapshot that go into the site as they are, and what can be told of them. */
import type { Algorithm } from '../model/fixity.ts';
import { isPlayable, type MediaKind, type NamedFile } from '../model/media.ts';
import { baseOf } from '../model/places.ts';
import { shortHash } from '../platform/short-hash.ts';
import type { ShownFile } from './shown-files.ts';
import type { Wave } from './waves.ts';

/** One file as it was received. */
export interface MirroredFile {
  /** Below dist, where it is handed out. */
  path: string;
  /** Below the snapshot. */
  source: string;
  /** By its first bytes. */
  mimetype: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** The declared checksums that its bytes agreed with when it came. */
  proven: Algorithm[];
  /** Whether the site hands the file itself out; its text may stand on a page all the same. */
  offered: boolean;
  /** The drawing of a sound that plays. */
  wave?: Wave;
  /** A file of plain text with the words of what is no text. */
  words?: string;
}

/** By the address upstream. */
export type Mirrored = Readonly<Record<string, MirroredFile>>;

/** Types whose files a browser would run as a page of ours. */
const ACTIVE = /^text\/html$|[/+]xml$|^application\/(?:javascript|x-shockwave-flash|xhtml)/;
/** Types that a computer would run as a program, or that put one onto it. */
const PROGRAM =
  /^application\/(?:x-msdownload|vnd\.microsoft\.portable-executable|x-dosexec|x\.ms\.shortcut|x-ms-shortcut|x-elf|x-mach-binary|java-vm|java-archive|x-apple-diskimage|x\.apple\.alias|vnd\.android\.package-archive|x-deb|x-rpm|x-google-chrome-extension|x-msi|wasm)$/;

/** Which of the shown files go into dist as they are (path below dist → file on disk), and all that is told of them. */
export function mirroredFiles(files: readonly ShownFile[]): {
  mirrored: Record<string, MirroredFile>;
  files: Map<string, string>;
} {
  const mirrored: Record<string, MirroredFile> = {};
  const placed = new Map<string, ShownFile>();
  for (const sharers of Map.groupBy(files, ({ path }) => path).values()) {
    const [first] = sharers as [ShownFile];
    const usual = placeInSite(sharers);
    const path = placed.has(usual) ? usual.replace(/\.[^.]+$/, (ending) => `.${shortHash(first.sha256)}${ending}`) : usual;
    placed.set(path, first);
    const offered = !ACTIVE.test(first.mimetype) && !PROGRAM.test(first.mimetype);
    for (const { url, path: source, mimetype, size, sha256, proven } of sharers)
      mirrored[url] = {
        path,
        source,
        mimetype,
        size,
        sha256,
        proven: proven === null ? [] : (JSON.parse(proven) as Algorithm[]),
        offered,
      };
    if (!offered) placed.delete(path);
  }
  return {
    mirrored: Object.fromEntries(Object.entries(mirrored).sort(([a], [b]) => (a < b ? -1 : 1))),
    files: new Map([...placed].map(([path, { file }]) => [path, file])),
  };
}

/** Where a file stands in the site: under the name that it has in the snapshot if that is the name of a record that shows it; its extension tells what its bytes are. */
function placeInSite(sharers: readonly ShownFile[]): string {
  const [{ owner, kind, url, path, extension }] = sharers as [ShownFile];
  const base = path.replace(/\.[^.]*$/, '');
  const own = sharers.flatMap((one) => [
    baseOf(one.owner, one.kind as MediaKind, undefined),
    baseOf(one.owner, one.kind as MediaKind, one.url),
  ]);
  return `${own.includes(base) ? base : baseOf(owner, kind as MediaKind, url)}.${extension}`;
}

/** What plays for a record: the video, else the sound; of files that are in the site and that browsers play. */
export function playedOf(
  media: readonly NamedFile[],
  mirrored: Mirrored,
): { kind: 'video' | 'audio'; file: MirroredFile; url: string } | undefined {
  for (const kind of ['video', 'audio'] as const) {
    for (const { kind: own, url } of media) {
      const file = Object.hasOwn(mirrored, url) ? mirrored[url] : undefined;
      const plays = own === kind || (own === 'original' && file?.mimetype.startsWith(`${kind}/`));
      if (plays && file?.offered && isPlayable(file.mimetype)) return { kind, file, url };
    }
  }
  return undefined;
}
