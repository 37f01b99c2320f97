/** Publishes files as a site, as a build does. */
import { type PublishResult, publish } from '../../src/publish/files/publish.ts';
import { openSiteState } from '../../src/publish/files/site-state.ts';

/** Publishes files (path in the site → file on disk) to `out`. `stateFile` has what is known of the site; by default nothing. */
export async function publishSite(
  files: ReadonlyMap<string, string>,
  out: string,
  stateFile = ':memory:',
): Promise<PublishResult> {
  using state = openSiteState(stateFile, '');
  return await publish(
    Array.from(files, ([path, file]) => ({ path, file })),
    out,
    state,
  );
}
