/** Makes the dev server show own pages again when they change. */
import { join, sep } from 'node:path';
import type { ViteDevServer } from 'vite';

/** Time that a change must be over before the own pages are read again, in milliseconds: the watcher reports a write once, also when it only begins. */
const SETTLING_TIME = 100;

/**
 * Calls `readOwn` when an own page in a directory changes, and reports what is wrong in them. Astro reads their text again itself. The directory
 * may not exist.
 */
export function reloadOnTextChange(server: ViteDevServer, directory: string, readOwn: () => Promise<void>): void {
  const directories = ['pages', 'exhibits'].map((kind) => join(directory, kind));
  server.watcher.add(directories);
  let reading = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const read = () =>
    readOwn().then(
      () => server.ws.send({ type: 'full-reload' }),
      (error: Error) => server.config.logger.error(error.message),
    );
  const written = new Set<string>();
  server.watcher.on('all', (event, file) => {
    if (!directories.some((own) => file.startsWith(own + sep))) return;
    if (event === 'change') written.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const path of written) server.watcher.emit('change', path); // for Astro, which has read it when it began to change
      written.clear();
      reading = reading.then(read); // one after the other, so that the last one is of the last change
    }, SETTLING_TIME);
  });
}
