/** Microfiche's part of the benchmark of record pages: builds the record pages of a snapshot. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderPages } from '../../src/build/pages/render.ts';
import { createPageProblems } from '../../src/catalogue/page-problems.ts';
import { planPages } from '../../src/site/plan.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { plainSite } from './plain-site.ts';

const [snapshot, out] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
using store = openSnapshot(snapshot);
mkdirSync(out, { recursive: true });
const site = plainSite(store, ['en'], join(out, 'catalogue.sqlite'));
/** One per record. */
const plan = [...planPages(site)].filter(({ path }) => /^objects\/[^/]+$/.test(path));
await renderPages(join(out, 'site'), { ...site, stale: plan, problems: createPageProblems() });
