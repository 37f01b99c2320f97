/** The script of a record's page. */
import { withoutArticle } from '../../model/text/sort-key.ts';
import { BACK_KEY, FORWARD_KEY } from '../browser/arrow-keys.ts';
import { setUpCitations } from '../parts/citations.ts';
import { setUpCovers } from '../parts/covers.ts';
import { setUpListFilter } from '../parts/list-filter.ts';
import { setUpListView } from '../parts/list-view.ts';
import { setUpShareButtons } from '../parts/share.ts';
import { setUpPlayers } from '../player/player.ts';
import { setUpMoments } from '../saved/save-moments.ts';
import { setUpContentsTable } from './contents-table.ts';
import { setUpDocumentViewer } from './document-viewer.ts';
import { setUpDownloadAll } from './download-all.ts';
import { setUpImageViewer } from './image-viewer.ts';
import { setUpPageHits } from './page-hits.ts';

/** Elements that use arrow keys themselves. */
const OWN_KEYS =
  'input, select, textarea, audio, video, dialog, summary, [role="tab"], [tabindex="0"], .document, .player-controls';

/** Makes the arrow keys follow the links to the previous and the next record. */
function setUpRecordNavigation(): void {
  addEventListener('keydown', (event) => {
    const rel = { [BACK_KEY]: 'prev', [FORWARD_KEY]: 'next' }[event.key];
    if (!rel || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
    if (document.querySelector('dialog[open]')) return;
    // A reader who listens would lose the place.
    if ([...document.querySelectorAll('audio, video')].some((player) => !(player as HTMLMediaElement).paused)) return;
    document.querySelector<HTMLAnchorElement>(`.record-navigation a[rel="${rel}"]`)?.click();
  });
}

setUpCovers();
setUpImageViewer();
setUpDocumentViewer();
setUpPageHits();
setUpCitations();
setUpPlayers();
setUpMoments();
setUpShareButtons();
setUpKnowLink();
setUpDownloadAll();
setUpListView();
setUpContentsBar();
setUpContentsTable();
setUpRecordNavigation();

/** Lets the reader filter and sort the contents as far as the page offers it. */
function setUpContentsBar(): void {
  const bar = document.querySelector('.contents-bar');
  const list = bar?.parentElement?.querySelector('.cards');
  const filter = bar?.querySelector<HTMLInputElement>('[data-filter]');
  const order = bar?.querySelector<HTMLSelectElement>('[data-order]');
  const status = bar?.querySelector<HTMLElement>('[data-shown]');
  if (!list || !filter || !order || !status) return;
  const cards = [...list.querySelectorAll<HTMLElement>('.card')];
  setUpListFilter(filter, cards, status);
  order.addEventListener('change', () => list.append(...sortCards(cards, order.value)));
}

function sortCards(cards: readonly HTMLElement[], order: string): readonly HTMLElement[] {
  const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const titleOf = (card: HTMLElement) => withoutArticle(card.querySelector('.card-title')?.textContent ?? '');
  const dateOf = (card: HTMLElement) => card.dataset['date'] ?? '';
  if (order === 'title') return [...cards].sort((a, b) => compare(titleOf(a), titleOf(b)));
  if (order !== 'date') return cards;
  // Records without a date come last.
  return [...cards].sort((a, b) => {
    const [first, second] = [dateOf(a), dateOf(b)];
    if (first === second) return 0;
    return first !== '' && (second === '' || first < second) ? -1 : 1;
  });
}

/** Adds the moment at which the player is to the link to the form for what a reader knows, if the page has both. */
function setUpKnowLink(): void {
  const link = document.querySelector<HTMLAnchorElement>('.know-link');
  const player = document.querySelector<HTMLMediaElement>('.player');
  if (!link || !player) return;
  const { href } = link;
  player.addEventListener('timeupdate', () => {
    const seconds = Math.round(player.currentTime * 10) / 10;
    link.href = seconds === 0 ? href : `${href}&t=${seconds}`;
  });
}
