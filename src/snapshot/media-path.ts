/** Which paths a row of media may have: a snapshot that was handed on could name any file of the machine. */
import { pathProblem } from '../platform/portability.ts';

/** The folder of each state's files, below the snapshot. */
const STATE_DIRECTORIES = { stored: 'media', quarantined: 'quarantine' } as const;

/**
 * Why a path from a row of `media`, `download` or `orphan_file` must not be used; undefined if it may be. It has the form
 * `media/<folder>/<file>`, or `quarantine/…` for quarantined files; without a state either will do. Symbolic links are not looked for:
 * `toSafeDirectory` does that.
 */
export function mediaPathProblem(path: string, state?: keyof typeof STATE_DIRECTORIES): string | undefined {
  const [top = '', ...names] = path.split('/');
  const tops: readonly string[] = state === undefined ? Object.values(STATE_DIRECTORIES) : [STATE_DIRECTORIES[state]];
  if (!tops.includes(top)) return `its path does not begin with ${tops.map((directory) => `${directory}/`).join(' or ')}`;
  if (names.length !== 2) return `its path is not of the form ${top}/folder/file`;
  // Name by name: two long ids make a path that is longer than a site may have, and the snapshot keeps it all the same.
  return names.map(pathProblem).find((problem) => problem !== undefined);
}
