/** Lines as `sha256sum` writes and checks them: read by the build, by the copy to a stick and by the page that keeps the mirror. */
import { pathProblem } from '../platform/portable-path.ts';

export interface ManifestLine {
  path: string;
  sha256: string;
}

/** The lines of a text. A line that does not name a portable path below its folder (`../x`, `..\x`, `C:/x`) is left out. */
export function manifestLines(text: string): ManifestLine[] {
  return text.split('\n').flatMap((line) => lineOf(line) ?? []);
}

/** The numbers, from 1, of the lines that `manifestLines` leaves out. */
export function badLines(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => (lineOf(line) === undefined && (line !== '' || i < lines.length - 1) ? [i + 1] : []));
}

function lineOf(line: string): ManifestLine | undefined {
  const [, sha256, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
  return sha256 !== undefined && path !== undefined && pathProblem(path) === undefined ? { sha256, path } : undefined;
}
