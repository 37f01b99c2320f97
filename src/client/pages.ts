/** Shows the page that the address names behind `?`, out of its pack. */
import { packIn, type Ranges } from './pack-format.ts';
import { createPackReader } from './pack-reader.ts';

const path = decodeURIComponent(location.search.slice(1).replace(/&.*$/, ''));
const read = createPackReader<Ranges>(new URL('pages/', document.baseURI).href, packIn);

/** A reader who leaves before the page is there goes where they wanted to go. */
let leaving = false;
addEventListener('beforeunload', () => {
  leaving = true;
});

read(path).then(
  (bytes) => {
    document.open();
    document.write(new TextDecoder().decode(bytes));
    document.close();
  },
  () => {
    if (!leaving) location.replace('404.html');
  },
);
