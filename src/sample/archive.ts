/** Opens whatever holds an archive: a snapshot, or the sample's readable JSON files. */

import { openSnapshot, type Store } from '../snapshot/store.ts';
import { isSample, loadSample } from './sample.ts';

/** @throws UserError when the folder holds neither. */
export function openArchive(dir: string): Store {
  return isSample(dir) ? loadSample(dir) : openSnapshot(dir);
}
