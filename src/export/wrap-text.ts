/** Breaks a paragraph into lines, for text files. */

const MAX_LINE = 140;

/** Returns the text with line breaks between words. */
export function wrap(text: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/)) {
    if (current !== '' && current.length + word.length + 1 > MAX_LINE) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}
