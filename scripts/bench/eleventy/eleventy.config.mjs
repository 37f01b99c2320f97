// BENCH_TEMPLATE chooses one of two ways to write the same page: `njk` (a layout with includes, as most Eleventy sites do) or `11ty.js` (one function).
import { scriptJson } from '../../../src/site/sanitize.ts';
import { CONTENTS, NAVIGATION, pager, THEME } from './page.ts';
import { facts, ids, relative, viewOf } from './views.mjs';

export default function (eleventy) {
  eleventy.addGlobalData('facts', facts);
  eleventy.addGlobalData('entries', ids);
  eleventy.addGlobalData(
    'navigation',
    NAVIGATION.map(([label, path]) => ({ label, path })),
  );
  eleventy.addGlobalData('theme', THEME);
  eleventy.addFilter('view', viewOf);
  eleventy.addFilter('jsonLd', ({ metadata }) => scriptJson(metadata.jsonLd));
  eleventy.addFilter('to', relative);
  eleventy.addFilter('contents', (model) => CONTENTS[model] ?? 'Parts');
  eleventy.addFilter('pager', ({ path, id, context }) => (context.pages > 1 ? pager(path, id, context.pages) : ''));
  return { dir: { input: '.', includes: '_includes' }, templateFormats: [process.env.BENCH_TEMPLATE] };
}
