// Renders the same page from one of two templates. BENCH_TEMPLATE is `njk` (a layout with includes, as on most Eleventy sites) or `11ty.js` (one function).
import { FILTERS, GLOBALS } from './views.ts';

export default function (eleventy) {
  for (const [name, value] of Object.entries(GLOBALS)) eleventy.addGlobalData(name, value);
  for (const [name, filter] of Object.entries(FILTERS)) eleventy.addFilter(name, filter);
  return { dir: { input: '.', includes: '_includes' }, templateFormats: [process.env.BENCH_TEMPLATE] };
}
