/** Parses manifests in the format of `sha256sum`: for the build, copies to USB drives, and saving the site for offline. */
import { pathProblem } from '../platform/portable-path.ts';
import { originalOfCopy } from './compressed-names.ts';

/** One file of a site. */
export type ManifestLine = Record<'path' | 'sha256', string>;

/** Parses a manifest. Leaves out lines whose path is not portable or is outside the directory (`../x`, `..\x`, `C:/x`). */
export const parseManifest = (text: string): ManifestLine[] => text.split('\n').flatMap((line) => parseLine(line) ?? []);

/** Returns the checksums of a manifest by path, like `parseManifest`. */
export function parseChecksums(text: string): Map<string, string> {
  return new Map(parseManifest(text).map(({ path, sha256 }) => [path, sha256]));
}

/** Returns the text of a manifest. */
export function formatChecksums(lines: readonly ManifestLine[]): string {
  return lines.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}

/** Returns the numbers, from 1, of the lines that `parseManifest` leaves out. */
export function findInvalidLines(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => (parseLine(line) === undefined && (line !== '' || i < lines.length - 1) ? [i + 1] : []));
}

/** Returns whether a browser saves a file for offline: nothing for IIIF viewers or hosts. */
export const isInOfflineCopy = (path: string): boolean => !path.startsWith('iiif/') && originalOfCopy(path) === undefined;

function parseLine(line: string): ManifestLine | undefined {
  if (!/^[0-9a-f]{64} {2}.+$/.test(line)) return undefined;
  const path = line.slice(66);
  return pathProblem(path) === undefined ? { sha256: line.slice(0, 64), path } : undefined;
}
