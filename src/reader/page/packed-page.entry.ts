/** Shows the page that the URL's query names, from its pack. */
import { findPackIn } from '../../formats/pack-format.ts';
import { decodePercent } from '../../model/text/percent.ts';
import { createPackReader } from '../browser/pack-reader.ts';
import { limitScripts } from '../browser/trusted-types.ts';

limitScripts(new URL('.', document.baseURI).href);
const path = decodePercent(location.search.slice(1).replace(/&.*$/, ''));
const readPage = createPackReader(new URL('pages/', document.baseURI).href, findPackIn);

/** Whether the reader has left before the page was loaded. A failure must not redirect then. */
let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

readPage(path).then(
  (bytes) => {
    document.open();
    document.write(new TextDecoder().decode(bytes));
    document.close();
  },
  () => {
    if (!isLeaving) location.replace('404.html');
  },
);
