/** Opens an archive's own components: Astro's bundle of the pages with them, and what they add to the site. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import type { ReadDesign } from '../../settings/read-design.ts';
import type { ReadOwnContent } from '../../settings/read-own-content.ts';
import type { ComponentAdditions } from '../../site/site.ts';
import { noteFile, openMade } from '../cache/program-cache.ts';
import { createBundleInProcess } from './bundle-process.ts';
import { hashOfFiles, pathFrom, readParts, SCRIPT_FILE } from './bundled-parts.ts';
import { createInlineStyle } from './design-files.ts';
import { HAND_OVER } from './shared-module.ts';

/** The archive's own components, bundled. */
export interface OwnComponents {
  /** A hash of which components are replaced, and of all files that they are made from. */
  hash: string;
  /** Directory of the bundle. */
  bundle: string;
  /** What they add to the style sheet. */
  css: string;
  /** The file of their script on the disk; undefined without one. */
  script: string | undefined;
  /** What they add to every page. */
  additions?: ComponentAdditions;
}

/** Path in the site. */
export const COMPONENT_SCRIPT_PATH = `assets/${SCRIPT_FILE}`;

/** Files that change while they are bundled are bundled again this many times. */
const MAX_ATTEMPTS = 5;

/**
 * Opens own components. Astro bundles them if one of the files changed that they are made from. Which these are is only known
 * from the last bundle, so the key of a bundle is known when it is there.
 * @throws {UserError} if a component cannot be compiled
 */
export async function openComponents(read: ReadComponents, own: ReadOwnContent | undefined): Promise<OwnComponents> {
  const { directory } = read;
  const names = read.files.map(([name, file]) => [name, pathFrom(directory, file)]);
  const noteKey = ['files of components', directory, names];
  let files = readCacheNote<string[]>(noteFile(noteKey), noteKey) ?? read.files.map(([, file]) => file);
  let earlier: string | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const hash = hashOfFiles(directory, files);
    const source = earlier;
    const bundle = await openMade(['bundle', HAND_OVER, own?.markdownHash, directory, names, hash], async (out) => {
      if (source !== undefined && readParts(source).hash === hash) cpSync(source, out, { recursive: true });
      else await createBundleInProcess(out, { content: own?.directory, components: read });
    });
    const parts = readParts(bundle);
    if (hashOfFiles(directory, parts.files) === hash) {
      writeCacheNote(noteFile(noteKey), noteKey, files);
      const script = parts.hasScript ? join(bundle, SCRIPT_FILE) : undefined;
      return { hash: JSON.stringify([names, hash]), bundle, css: parts.css, script };
    }
    [files, earlier] = [parts.files, bundle];
  }
  throw new UserError('The files of the components changed while they were bundled. Run the same command again.');
}

/** Returns own components with what they add to pages that have a design. */
export async function completeComponents(components: OwnComponents | undefined, design: ReadDesign | undefined, kiosk: boolean) {
  if (!components) return undefined;
  const { css, script } = components;
  const added = [design?.design.inlineCss, css].filter(Boolean).join('\n');
  const style = css === '' ? undefined : await createInlineStyle(added, kiosk);
  return { ...components, additions: { style, hasScript: script !== undefined } };
}
