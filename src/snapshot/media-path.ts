/** Checks the paths of media files. A snapshot is untrusted: its rows could name any file on the machine. */
import { pathProblem } from '../platform/portability.ts';
import { MEDIA_DIRECTORIES } from './file-names.ts';

/**
 * Returns why a path from a row of `media`, `download` or `orphan_file` must not be used; undefined if it may be. A valid path
 * has the form `media/<directory>/<file>`, or `quarantine/<directory>/<file>` for a quarantined file. Without a state, both are
 * valid. Does not look for symbolic links; `toSafeDirectory` does.
 */
export function mediaPathProblem(path: string, state?: keyof typeof MEDIA_DIRECTORIES): string | undefined {
  const [top = '', ...names] = path.split('/');
  const tops: readonly string[] = state === undefined ? Object.values(MEDIA_DIRECTORIES) : [MEDIA_DIRECTORIES[state]];
  if (!tops.includes(top)) return `its path does not begin with ${tops.map((directory) => `${directory}/`).join(' or ')}`;
  if (names.length !== 2) return `its path does not have the form ${top}/directory/file`;
  // Each name is checked separately: with two long IDs, a path may exceed the maximum length for a site and still be valid in a
  // snapshot.
  return names.map(pathProblem).find((problem) => problem !== undefined);
}
