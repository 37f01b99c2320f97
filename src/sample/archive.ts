/** Opens a snapshot, or an archive in JSON files such as the sample archive. */
import { openSnapshot, type Store } from '../snapshot/store.ts';
import { isSample, loadSample } from './load-sample.ts';

/**
 * Opens the archive in a directory.
 *
 * @throws {UserError} if the directory contains none
 */
export function openArchive(dir: string): Store {
  return isSample(dir) ? loadSample(dir) : openSnapshot(dir);
}
