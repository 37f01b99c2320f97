/** Writes parts of the search index in threads: each opens the catalogue file and the snapshot, and has its own Pagefind. */
import { createRecorder } from '../../catalogue/dependencies/read-keys.ts';
import { chosenThreads, possibleThreads } from '../../platform/thread-count.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { createPreparation, type PrepareDocument } from '../../search/prepare-document.ts';
import { type PartToWrite, writePart } from '../../search/write-part.ts';
import type { Store } from '../../snapshot/store.ts';
import { type OpenSite, openSite, type SiteSource } from '../pages/site-source.ts';

const ROLE = 'microfiche-search';
/** Memory that a thread and its Pagefind process take at most, in bytes. */
const THREAD_MEMORY = 1.5 * 1024 ** 3;

/** Returns a function that prepares documents of a site. `recorder` records what the site reads. */
export function prepareFrom(
  { sites, store }: Pick<OpenSite, 'sites'> & { store: Store },
  recorder: ReturnType<typeof createRecorder>,
): PrepareDocument {
  return createPreparation({ store, site: sites[0], locales: sites.map(({ locale }) => locale) }, recorder);
}

/**
 * Writes parts, several of them in threads. `onProgress` gets the number of documents that were added since it was last called.
 * @throws {Error} if Pagefind cannot start or cannot write a part
 */
export async function writeParts(
  parts: readonly PartToWrite[],
  source: SiteSource,
  prepare: PrepareDocument,
  onProgress: (added: number) => void,
): Promise<void> {
  const threads = Math.min(parts.length, chosenThreads() ?? possibleThreads(THREAD_MEMORY));
  if (threads < 2) {
    for (const part of parts) await writePart(part, prepare, onProgress);
    return;
  }
  const program = { module: import.meta.filename, role: ROLE, setting: source, isSmall: true };
  await runInThreads<SiteSource, PartToWrite, void, { added: number }>(threads, program, parts, {
    onProgress: ({ added }) => onProgress(added),
  });
}

doTasks<SiteSource, PartToWrite, void, { added: number }>(ROLE, (source) => {
  const recorder = createRecorder();
  const prepare = prepareFrom(openSite(source, recorder.onRead), recorder);
  return (part, post) => writePart(part, prepare, (added) => post({ added }));
});
