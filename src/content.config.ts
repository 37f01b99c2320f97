/** Content collections of an archive's own pages: `getEntry('exhibits', 'harbor-life')`. live.config.ts has the records. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCollection } from 'astro/content/config';
import { glob, type Loader } from 'astro/loaders';
import { CONTENT_VARIABLE } from './site/own/content-directory.ts';

const directory = process.env[CONTENT_VARIABLE];

/** Finds the texts of a kind. Their ID is the path without extension: a language may be in it. */
const markdownIn = (kind: string): Loader | (() => []) =>
  directory && existsSync(join(directory, kind))
    ? glob({
        pattern: '**/*.md',
        base: pathToFileURL(join(directory, kind)),
        generateId: ({ entry }) => entry.replace(/\.md$/, ''),
      })
    : () => [];

/** Own pages and exhibits, checked by src/site/own/markdown.ts: Astro’s reader takes a title such as 2024-05-01 for a date. */
export const collections = {
  pages: defineCollection({ loader: markdownIn('pages') }),
  exhibits: defineCollection({ loader: markdownIn('exhibits') }),
};
