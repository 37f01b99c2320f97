// Renders record pages from one template.
import { ids } from './views.ts';

export default function (eleventy) {
  eleventy.addGlobalData('entries', ids);
  return { dir: { input: '.' }, templateFormats: ['11ty.js'] };
}
