/** Looks at the files of a large site in a thread, while the catalogue is read. */
import { statSync } from 'node:fs';
import { undefinedIf } from '../../platform/expected-errors.ts';
import { isDamagedDatabase } from '../../platform/sqlite-errors.ts';
import { runsAside } from '../../platform/thread-count.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { listChangedOnDisk } from './site-state.ts';

const ROLE = 'microfiche-look';
/** A smaller state has so few files that a thread takes longer to start than it saves. In bytes. */
const MIN_STATE_SIZE = 8 * 1024 ** 2;

interface Setting {
  /** Path of the state of the site. */
  state: string;
  /** Directory of the site. */
  out: string;
}

/** Returns the paths of the files that are not as the last build left them; undefined if they were not stat'ed. */
export async function findChangedFiles(state: string, out: string): Promise<ReadonlySet<string> | undefined> {
  const size = statSync(state, { throwIfNoEntry: false })?.size;
  if (size === undefined || !runsAside(size >= MIN_STATE_SIZE)) return undefined;
  const program = { module: import.meta.filename, role: ROLE, setting: { state, out } };
  let found: string[] | undefined;
  await runInThreads<Setting, object, string[] | undefined>(1, program, [{}], {
    onResult: (paths) => {
      found = paths;
    },
  });
  return found && new Set(found);
}

// A damaged state is replaced when it is opened.
doTasks<Setting, object, string[] | undefined>(
  ROLE,
  ({ state, out }) =>
    () =>
      undefinedIf(isDamagedDatabase, () => listChangedOnDisk(state, out)),
);
