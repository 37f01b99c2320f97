/** Opens and closes popovers in engines that do not know them: before Chrome 114, Firefox 125 and Safari 17. */

/** What the style of a kiosk shows as an open panel (src/site/styles/kiosk.css). */
const IS_OPEN = 'data-is-open';

/** Makes the buttons of popovers work if the engine does not. A panel sends `beforetoggle` before it opens, as a popover does. */
export function setUpPanels(): void {
  if ('popover' in HTMLElement.prototype) return;
  let opened: HTMLElement | undefined;
  const close = () => {
    opened?.removeAttribute(IS_OPEN);
    opened = undefined;
  };
  const open = (panel: HTMLElement) => {
    panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }));
    panel.setAttribute(IS_OPEN, '');
    opened = panel;
  };
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest('button[popovertarget]');
    const panel = button && document.getElementById(button.getAttribute('popovertarget') ?? '');
    if (!panel && opened?.contains(target)) return;
    const isOpened = opened;
    close();
    if (panel && panel !== isOpened && !button.hasAttribute('popovertargetaction')) open(panel);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
}
