/** Passes on the address of the page: with the share menu of the system, or as a copy in the clipboard. */
import { copyText } from '../browser/copy-text.ts';

/** Shows the buttons that the browser can carry out, and makes them work. */
export function setUpShareButtons(): void {
  const offer = (name: string, act: (button: HTMLButtonElement) => void) => {
    const button = document.querySelector<HTMLButtonElement>(`[data-share="${name}"]`);
    if (!button) return;
    button.hidden = false;
    button.addEventListener('click', () => act(button));
  };
  if ('share' in navigator && location.protocol !== 'file:')
    // fails if the reader closes the menu
    offer('share', () => void navigator.share({ title: document.title, url: pageAddress() }).catch(() => undefined));
  offer('print', () => print());
  offer('copy', (button) => void copyText(button, pageAddress()));
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
export const isOpenToOthers = (): boolean => publishedAddress() !== undefined || !isOnThisMachine();

/** Returns the address of the same place in the page: of a page on this machine, that on the web, if it is known. */
export function pageAddress(): string {
  const published = publishedAddress();
  return published && isOnThisMachine() ? `${published}${location.hash}` : location.href;
}
