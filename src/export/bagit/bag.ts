/** The tag files of a BagIt bag (RFC 8493). */

/** Checksum algorithms of the manifests. */
export const BAG_DIGESTS = ['sha256', 'sha512'] as const;
/** `bagit.txt`. */
export const BAG_DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const MAX_LINE = 79;

/** Returns `bag-info.txt`. A long value continues on lines that begin with a space. */
export function formatBagInfo(fields: ReadonlyArray<readonly [label: string, value: string]>): string {
  return fields.map(([label, value]) => `${foldLine(`${label}: ${value.replace(/\s+/g, ' ').trim()}`)}\n`).join('');
}

function foldLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + word.length + 1 > MAX_LINE) {
      lines.push(current);
      current = `  ${word}`;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}
