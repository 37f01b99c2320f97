/**
 * Measures how long a thread that renders pages takes from its creation until it can render one, and prints a list of
 * milliseconds as JSON. Arguments: snapshot, a directory for files, and how often as many threads are started at a time as a
 * build has.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openBundle } from '../../src/build/astro/bundle.ts';
import { renderInThreads } from '../../src/build/pages/render-thread.ts';
import { createPageProblems } from '../../src/catalogue/page-problems.ts';
import { planPages } from '../../src/site/plan.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { plainSite } from './plain-site.ts';

/** Enough for several batches in each thread, of which each thread renders at least one. */
const PAGES_PER_THREAD = 128;

const [snapshot = '', directory = '', times = ''] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const store = openSnapshot(snapshot);
const { source, sites, entries } = plainSite(store, ['en'], join(directory, 'catalogue.sqlite'));
const threads = availableParallelism();
const pages = planPages({ sites, entries })
  .filter(({ kind }) => kind === 'object')
  .take(PAGES_PER_THREAD * threads)
  .toArray();
const setting = { source, bundle: await openBundle(), out: join(directory, 'pages') };
const starts: number[] = [];
for (let time = 0; time < Number(times); time++)
  await renderInThreads(threads, setting, pages, createPageProblems(), { onStart: (ms) => void starts.push(ms) });
store.close();
console.log(JSON.stringify(starts));
