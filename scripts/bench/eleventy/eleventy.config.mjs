// Renders the same page from one of two templates. BENCH_TEMPLATE is `njk` (a layout with includes, as on most Eleventy sites) or `11ty.js` (one function).
import { contentsPath } from '../../../src/catalogue/urls.ts';
import { escapeScriptJson } from '../../../src/site/sanitize.ts';
import { BAR, CONTENTS, isAbove, leading, NAVIGATION, pager, rest, THEME } from './page.ts';
import { facts, ids, relativeUrl, viewOf } from './views.mjs';

export default function (eleventy) {
  eleventy.addGlobalData('facts', facts);
  eleventy.addGlobalData('entries', ids);
  eleventy.addGlobalData(
    'navigation',
    NAVIGATION.map(([label, path]) => ({ label, path })),
  );
  eleventy.addGlobalData('theme', THEME);
  eleventy.addFilter('view', viewOf);
  eleventy.addFilter('jsonLd', ({ metadata }) => escapeScriptJson(metadata.jsonLd));
  eleventy.addFilter('to', relativeUrl);
  eleventy.addFilter('contents', (model) => CONTENTS[model] ?? 'Parts');
  eleventy.addFilter('pager', ({ path, id, context }) =>
    context.pages > 1 ? `<div>${pager(path, id, context.pages)}</div>` : '',
  );
  eleventy.addFilter('lead', leading);
  eleventy.addFilter('rest', rest);
  eleventy.addFilter('bar', ({ path, id, context }) =>
    isAbove(context) ? BAR.replace('#', relativeUrl(path, contentsPath(id))) : '',
  );
  return { dir: { input: '.', includes: '_includes' }, templateFormats: [process.env.BENCH_TEMPLATE] };
}
