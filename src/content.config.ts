/** Defines the content collections of an archive's own pages: `getEntry('exhibits', 'harbor-life')`. Records are in live ones (live.config.ts). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCollection } from 'astro/content/config';
import { glob, type Loader } from 'astro/loaders';
import { CONTENT_VARIABLE } from './site/own/content-variable.ts';
import { frontMatterSchema } from './site/own/front-matter.ts';

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

/** Own pages and exhibits. */
export const collections = {
  pages: defineCollection({ loader: markdownIn('pages'), schema: frontMatterSchema }),
  exhibits: defineCollection({ loader: markdownIn('exhibits'), schema: frontMatterSchema }),
};
