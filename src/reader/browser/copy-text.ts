/** Copies texts to the clipboard. */

/** Shows on a button for two seconds that it has copied or saved something. */
export function showCopied(button: HTMLButtonElement): void {
  const label = button.dataset['label'] ?? button.textContent ?? '';
  button.dataset['label'] = label;
  button.textContent = button.dataset['copied'] ?? label;
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

/**
 * Copies a text, and shows on the button that it was copied. If the browser denies access to the clipboard, the element that
 * contains it is at least selected. Returns whether the text was copied.
 */
export async function copyText(button: HTMLButtonElement, text: string, element?: Element): Promise<boolean> {
  const isCopied = await writeClipboard(text, element);
  if (isCopied) showCopied(button);
  return isCopied;
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
