/** The picture of a card becomes that of its record, and back, where browsers show how a page replaces another. */

interface PageEvent extends Event {
  viewTransition?: { finished: Promise<unknown> } | null;
  activation?: { entry?: { url: string | null } } | null;
}

/** What both pages call it. */
const NAME = 'picture';

/** Names the picture on both sides of a change of pages. */
export function setUpPictureTransition(): void {
  addEventListener('pageswap', (event: PageEvent) => namePicture(event, event.activation?.entry?.url));
  addEventListener('pagereveal', (event: PageEvent) => {
    const { navigation } = window as { navigation?: { activation?: { from?: { url: string | null } } } };
    namePicture(event, navigation?.activation?.from?.url);
  });
}

/** Names the picture of the card or frame that leads to the other page, or else that of this page's record. */
function namePicture({ viewTransition }: PageEvent, other: string | null | undefined): void {
  if (!viewTransition || !other) return;
  const link = [...document.querySelectorAll<HTMLAnchorElement>('.card > a, .frames a')].find(({ href }) => href === other);
  const picture = (link ?? document.querySelector('.object-picture'))?.querySelector('img');
  if (!picture) return;
  picture.style.setProperty('view-transition-name', NAME);
  const unname = () => picture.style.removeProperty('view-transition-name');
  viewTransition.finished.then(unname, unname);
}
