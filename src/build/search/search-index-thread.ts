/** Brings the search index up to date in a thread, while another one renders the pages of the same build. */
import { createRecorder } from '../../catalogue/dependencies/read-keys.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { openSite } from '../pages/site-source.ts';
import { type IndexSetting, type OnDocuments, type SearchIndex, updateSearchIndex } from './search-index.ts';

const ROLE = 'microfiche-search-index';

/** Does the same as `updateSearchIndex`, in a thread of its own. */
export async function updateSearchIndexInThread(setting: IndexSetting, onDocuments: OnDocuments): Promise<SearchIndex> {
  const made: SearchIndex[] = [];
  const program = { module: import.meta.filename, role: ROLE, setting };
  await runInThreads<IndexSetting, object, SearchIndex, { done: number; total: number }>(1, program, [{}], {
    onResult: (index) => made.push(index),
    onProgress: ({ done, total }) => onDocuments(done, total),
  });
  return made[0] as SearchIndex;
}

doTasks<IndexSetting, object, SearchIndex, { done: number; total: number }>(ROLE, (setting) => {
  const recorder = createRecorder();
  const site = { ...openSite(setting.source, recorder.onRead), recorder };
  return (_, post) => updateSearchIndex(setting, site, (done, total) => post({ done, total }));
});
