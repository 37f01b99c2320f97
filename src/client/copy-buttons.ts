/** Copies citations to the clipboard. */

/** Shows the copy button of each citation on the page, and makes it work. */
export function setUpCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const text = button.closest('div')?.querySelector('dd');
    if (!text) continue;
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', () => {
      void copyText(text).then((isCopied) => {
        if (!isCopied) return;
        button.textContent = button.dataset['copied'] ?? label;
        setTimeout(() => {
          button.textContent = label;
        }, 2000);
      });
    });
  }
}

/** Returns whether the text was copied. If the browser denies access to the clipboard, the text is at least selected. */
async function copyText(element: Element): Promise<boolean> {
  const text = element.textContent ?? '';
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // permission denied: fall back to execCommand
    }
  }
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
}
