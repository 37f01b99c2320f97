/** Opens the previous or the next record with the arrow keys, unless they turn the pages of a document (document-viewer.ts). */

/** Elements that use arrow keys themselves. */
const OWN_KEYS =
  'input, select, textarea, audio, video, dialog, summary, [role="tab"], [tabindex="0"], .document, .player-controls';

/** Makes the arrow keys follow the links to the previous and the next record. */
export function setUpRecordNavigation(): void {
  addEventListener('keydown', (event) => {
    const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
    if (!rel || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
    if (document.querySelector('dialog[open]')) return;
    // A reader who listens would lose the place.
    if ([...document.querySelectorAll('audio, video')].some((player) => !(player as HTMLMediaElement).paused)) return;
    document.querySelector<HTMLAnchorElement>(`.record-navigation a[rel="${rel}"]`)?.click();
  });
}
