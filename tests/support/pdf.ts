/** Creates a minimal PDF of one page with lines of text. The same text gives the same bytes. */

const WIDTH = 420;
const MARGIN = 36;
const LEADING = 20;
/** Maximum characters on a line. */
const MAX_LINE_LENGTH = 62;

/** Returns a PDF. Characters outside Latin-1 are left out, since the PDF embeds no font. */
export function createPdf(text: string): Buffer {
  const lines = text.split('\n').flatMap(wrap);
  const height = MARGIN * 2 + lines.length * LEADING;
  const shown = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf ${LEADING} TL ${MARGIN} ${height - MARGIN - 12} Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let out = '%PDF-1.4\n';
  const entries = objects.map((object, n) => {
    const offset = String(out.length).padStart(10, '0');
    out += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  return Buffer.from(`${out}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`, 'latin1');
}

function wrap(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) as string;
    if (last !== '' && last.length + word.length >= MAX_LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

function escapeText(line: string): string {
  return line.replace(/[()\\]/g, '\\$&').replace(/[^\x20-\x7e\xa1-\xff]/g, '');
}
