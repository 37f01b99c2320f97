/** The tag files and manifests of a BagIt bag (RFC 8493). */
import type { Digest } from '../digest.ts';

/** Checksum algorithms of the manifests. */
export const BAG_DIGESTS = ['sha256', 'sha512'] as const;
/** `bagit.txt`. */
export const BAG_DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const MAX_LINE = 79;

/** A file of a bag, with its checksums. */
export interface BaggedFile {
  path: string;
  digest: Digest;
}

/** Returns a manifest: a line for each file, sorted by path. */
export function formatManifest(files: readonly BaggedFile[], algorithm: (typeof BAG_DIGESTS)[number]): string {
  return files
    .map(({ path, digest }) => `${digest.checksums[algorithm]}  ${encodePath(path)}\n`)
    .sort((a, b) => (a.slice(a.indexOf(' ')) < b.slice(b.indexOf(' ')) ? -1 : 1))
    .join('');
}

/** Reads a manifest: checksums by path. Undefined if a line has another form, or a path is there twice. */
export function parseBagManifest(text: string): Map<string, string> | undefined {
  const parser = createManifestParser();
  parser.add(text);
  return parser.finish();
}

/** Characters of a line. */
const MAX_MANIFEST_LINE = 100_000;

/** Creates a parser for one manifest. */
export function createManifestParser() {
  const checksums = new Map<string, string>();
  let isValid = true;
  let rest = '';
  const addLine = (line: string) => {
    if (line === '') return;
    const [, checksum, path] = /^([0-9a-f]+)[ \t]+\*?(.+)$/i.exec(line) ?? [];
    const decoded = path === undefined ? undefined : decodePath(path);
    if (checksum === undefined || decoded === undefined || checksums.has(decoded)) isValid = false;
    else checksums.set(decoded, checksum.toLowerCase());
  };
  return {
    add(text: string) {
      const lines = `${rest}${text}`.split(/\r\n|\n|\r/);
      rest = lines.pop() as string;
      if (rest.length > MAX_MANIFEST_LINE) isValid = false;
      if (isValid) for (const line of lines) addLine(line);
      else rest = '';
    },
    /** Returns what `parseBagManifest` does. */
    finish() {
      if (isValid) addLine(rest);
      return isValid ? checksums : undefined;
    },
  };
}

/** RFC 8493, 2.1.3: only CR, LF and % are encoded. */
function encodePath(path: string): string {
  return path.replace(/[%\r\n]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

function decodePath(path: string): string {
  return path.replace(/%(25|0A|0D)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns `bag-info.txt`. A long value continues on lines that begin with a space. */
export function formatBagInfo(fields: ReadonlyArray<readonly [label: string, value: string]>): string {
  return fields.map(([label, value]) => `${foldLine(`${label}: ${value.replace(/\s+/g, ' ').trim()}`)}\n`).join('');
}

function foldLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + word.length + 1 > MAX_LINE) {
      lines.push(current);
      current = `  ${word}`;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}
