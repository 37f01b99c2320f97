/** Opens the previous or the next record with the arrow keys. */

/** Elements that use arrow keys themselves. */
const OWN_KEYS = 'input, select, textarea, audio, video, dialog, summary, [role="tab"], [tabindex="0"], .document';

/** Makes the arrow keys follow the links to the previous and the next record. */
export function setUpRecordNavigation(): void {
  addEventListener('keydown', (event) => {
    const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
    if (!rel || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
    // In a document, the arrow keys turn its pages, and a reader may press one more often than there are pages.
    if (document.querySelector('dialog[open], .document .strip')) return;
    document.querySelector<HTMLAnchorElement>(`.record-navigation a[rel="${rel}"]`)?.click();
  });
}
