/** Makes the dev server show own pages again when they change. */
import { join, sep } from 'node:path';
import type { ViteDevServer } from 'vite';

/**
 * Calls `readOwn` when an own page in a directory changes, and reports what is wrong in them. Astro reads their text again itself. The directory
 * may not exist.
 */
export function reloadOnTextChange(server: ViteDevServer, directory: string, readOwn: () => Promise<void>): void {
  const directories = ['pages', 'exhibits'].map((kind) => join(directory, kind));
  server.watcher.add(directories);
  server.watcher.on('all', (_, file) => {
    if (!directories.some((own) => file.startsWith(own + sep))) return;
    readOwn().then(
      () => server.ws.send({ type: 'full-reload' }),
      (error: Error) => server.config.logger.error(error.message),
    );
  });
}
