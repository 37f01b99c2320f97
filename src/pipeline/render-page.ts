/** Renders one page with a render function, and writes it. A page that fails is replaced by one with a notice. */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage, type PageProblems } from '../catalogue/page-problems.ts';
import { stripIllegible } from '../model/legible.ts';
import { replaceExternalLinks } from '../publish/kiosk-pages.ts';
import type { Site } from '../site/site.ts';

/** Renders a page with Astro. It shows a notice if it has failed before. */
export type RenderOnce = () => Promise<Response>;

/** Writes pages into a directory. */
export interface PageOutput {
  /**
   * Renders and writes a page. If rendering fails, renders it again with a notice instead of its content.
   * @throws {Error} if that fails too: then the cause is not the record
   */
  write(path: string, render: RenderOnce): Promise<{ sha256: string; status: number }>;
}

/** Returns the output of a build: pages are written below the directory `out`. Those that fail are added to `problems`. */
export function createPageOutput(out: string, sites: readonly Site[], problems: Pick<PageProblems, 'addFailure'>): PageOutput {
  const directories = new Set<string>();
  return {
    async write(path, render) {
      const { html, status } = await renderWithFallback(render, path, problems);
      const bytes = Buffer.from(adaptToKiosk(path, html, sites));
      const file = join(out, path);
      const directory = dirname(file);
      if (!directories.has(directory)) mkdirSync(directory, { recursive: true });
      directories.add(directory);
      writeFileSync(file, bytes);
      return { sha256: hash('sha256', bytes), status };
    },
  };
}

async function renderWithFallback(
  render: RenderOnce,
  path: string,
  problems: Pick<PageProblems, 'addFailure'>,
): Promise<{ html: string; status: number }> {
  const renderLegibly = async () => {
    const response = await render();
    return { html: stripIllegible(await response.text()), status: response.status };
  };
  try {
    return await renderLegibly();
  } catch (error) {
    problems.addFailure(path, error);
  }
  try {
    return await renderLegibly();
  } catch (cause) {
    throw new Error(`The page ${path} could not be rendered: ${errorMessage(cause)}`, { cause });
  }
}

/** Returns a page without links to other sites if it is for a kiosk, else unchanged. */
function adaptToKiosk(path: string, html: string, sites: readonly Site[]): string {
  const pageSite = sites.find(({ locale: { pathPrefix } }) => pathPrefix !== '' && path.startsWith(pathPrefix)) ?? sites[0];
  return pageSite?.kiosk ? replaceExternalLinks(html, pageSite.locale.t.kiosk) : html;
}
