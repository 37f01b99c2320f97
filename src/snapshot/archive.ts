/** Opens whatever holds an archive: a snapshot, or the sample's readable JSON files. */
import { isSample, loadSample } from './sample.ts';
import { openSnapshot, type Store } from './store.ts';

/** @throws UserError when the folder holds neither. */
export function openArchive(dir: string): Store {
  return isSample(dir) ? loadSample(dir) : openSnapshot(dir);
}
