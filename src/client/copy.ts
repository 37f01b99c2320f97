/** Puts a citation on the clipboard. */

export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const text = button.closest('div')?.querySelector('dd');
    if (!text) continue;
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', () => {
      void copy(text).then((done) => {
        if (!done) return;
        button.textContent = button.dataset['copied'] ?? label;
        setTimeout(() => {
          button.textContent = label;
        }, 2000);
      });
    });
  }
}

/** Where the browser keeps its clipboard from pages like this one, the text is at least selected. */
async function copy(element: Element): Promise<boolean> {
  const text = element.textContent ?? '';
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // asked for and not allowed: the old way is left
    }
  }
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
}
