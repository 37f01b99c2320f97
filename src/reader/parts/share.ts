/** Passes on the address of the page: with the share menu of the system, or as a copy in the clipboard. */
import { copyText } from '../browser/copy-text.ts';

/** Shows the buttons that the browser can carry out, and makes them work. */
export function setUpShareButtons(): void {
  const button = (name: string) => document.querySelector<HTMLButtonElement>(`[data-share="${name}"]`);
  const [share, copy, printed] = [button('share'), button('copy'), button('print')];
  if (share && 'share' in navigator && location.protocol !== 'file:') {
    share.hidden = false;
    share.addEventListener('click', () => {
      // the reader has closed the menu
      void navigator.share({ title: document.title, url: pageAddress() }).catch(() => undefined);
    });
  }
  if (printed) {
    printed.hidden = false;
    printed.addEventListener('click', () => print());
  }
  if (copy) {
    copy.hidden = false;
    copy.addEventListener('click', () => {
      void copyText(copy, pageAddress());
    });
  }
}

/** Returns the address of the page on the web; undefined if the site does not know its own. */
export function publishedAddress(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="og:url"]')?.content;
}

/** Whether the page is on this machine only: on a drive, or served to itself. */
function isOnThisMachine(): boolean {
  return location.protocol === 'file:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
}

/** Whether others can open the address of the page. */
export function isOpenToOthers(): boolean {
  return publishedAddress() !== undefined || !isOnThisMachine();
}

/** Returns the address of the same place in the page: of a page on this machine, that on the web, if it is known. */
export function pageAddress(): string {
  const published = publishedAddress();
  return published && isOnThisMachine() ? `${published}${location.hash}` : location.href;
}
