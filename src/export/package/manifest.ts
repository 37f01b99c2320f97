/** The manifests of a package: the checksum of each file, in the form of those of a BagIt bag (RFC 8493). */
import type { Digest, DigestName } from '../digest.ts';

/** A file of a package, with its checksums. */
export interface PackagedFile {
  path: string;
  digest: Digest;
}

/** Returns a manifest: a line for each file, sorted by path. */
export function formatManifest(files: readonly PackagedFile[], algorithm: DigestName): string {
  return files
    .map(({ path, digest }) => `${digest.checksums[algorithm]}  ${encodePath(path)}\n`)
    .sort((a, b) => (a.slice(a.indexOf(' ')) < b.slice(b.indexOf(' ')) ? -1 : 1))
    .join('');
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
    /** Returns checksums by path. Undefined if a line has another form, or a path is there twice. */
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
