/** Copies texts to the clipboard. */

/** Shows the copy button of each citation on the page, and makes it work. */
export function setUpCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const text = button.closest('div')?.querySelector('dd');
    if (!text) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      void copyText(button, text.textContent ?? '', text);
    });
  }
}

/** Shows on a button for two seconds that it has copied something. */
function showCopied(button: HTMLButtonElement): void {
  const label = button.dataset['label'] ?? button.textContent ?? '';
  button.dataset['label'] = label;
  button.textContent = button.dataset['copied'] ?? label;
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

/** Copies a text, and shows on the button that it was copied. If the browser denies access to the clipboard, the element that contains it is at least selected. */
export async function copyText(button: HTMLButtonElement, text: string, element?: Element): Promise<void> {
  if (await writeClipboard(text, element)) showCopied(button);
}

async function writeClipboard(text: string, element?: Element): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // permission denied: fall back to execCommand
    }
  }
  const source = element ?? document.body.appendChild(Object.assign(document.createElement('pre'), { textContent: text }));
  getSelection()?.selectAllChildren(source);
  const isCopied = document.execCommand('copy');
  if (!element) source.remove();
  return isCopied;
}
