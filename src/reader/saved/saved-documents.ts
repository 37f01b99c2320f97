/** Formats the list of saved items for people: as plain text, as Markdown, and as a page that opens by itself. */
import { directionOf } from '../../formats/direction.ts';
import { commas } from '../../model/text/citation-prose.ts';
import { toLegible, toOneLine } from '../../model/text/legible.ts';
import { toXmlText } from '../../model/text/xml.ts';
import { type Citing, citationOf, timesOf } from './saved-citations.ts';
import type { SavedItem } from './saved-items.ts';
import { isHeading, type SavedEntry } from './saved-list.ts';

/** Returns a list as plain text: of each item the citation, the address, and what the reader notes. */
export function formatList(entries: readonly SavedEntry[], citing: Citing, style?: string): string {
  const blocks = entries.map((entry) => {
    if (isHeading(entry)) return [toOneLine(entry.heading)];
    return [citationOf(entry, citing, style), citing.addressOf(entry), timesOf(entry, citing), entry.note ?? ''];
  });
  return blocks.map((lines) => `${lines.filter((line) => line !== '').join('\n')}\n`).join('\n');
}

/** What could begin something in Markdown, anywhere or at the beginning of a line. */
const MARKDOWN_SIGN = /[\\`*_[\]<>&~|$#]|^[-+=:]|^\d+(?=[.)])/g;

/** Returns text on one line that is nothing but text in Markdown. */
export function escapeMarkdown(text: string): string {
  return toOneLine(text).replace(MARKDOWN_SIGN, (sign) => (/^\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}

/** Returns a list in Markdown (CommonMark): notes are quotations below their items. */
export function formatMarkdown(entries: readonly SavedEntry[], citing: Citing, style?: string): string {
  const blocks = entries.map((entry) => {
    if (isHeading(entry)) return `## ${escapeMarkdown(entry.heading)}`;
    const title = `[${escapeMarkdown(entry.title)}](<${citing.addressOf(entry)}>)`;
    const facts = [title, ...factsOf(entry, citing).map(escapeMarkdown)].join(' · ');
    const note = notesOf(entry).map((lines) => `  > ${lines.map(escapeMarkdown).join('\\\n  > ')}`);
    return [`- ${facts}`, `  ${escapeMarkdown(citationOf(entry, citing, style))}`, note.join('\n  >\n')]
      .filter(Boolean)
      .join('\n\n');
  });
  return `${[`# ${escapeMarkdown(citing.title)}`, escapeMarkdown(citing.archive), ...blocks].join('\n\n')}\n`;
}

/** The style of the page. It is in the page, which links to no file. */
const STYLE = `:root { color-scheme: light dark; font: 1.0625rem / 1.6 system-ui, sans-serif }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
h1, h2 { font-family: Charter, Cambria, Georgia, serif; line-height: 1.25 }
h2 { margin: 2.5rem 0 0 }
article { margin: 1.5rem 0; break-inside: avoid }
p { margin: 0.25rem 0 }
.fine { font-size: 0.9rem; opacity: 0.8 }
.note { white-space: pre-line; padding-inline-start: 1rem; border-inline-start: 3px solid }`;

/** Returns a list as a page that needs no other file and runs no script. */
export function formatHtml(entries: readonly SavedEntry[], citing: Citing, style?: string): string {
  const paragraph = (className: string, text: string) => (text === '' ? '' : `<p class="${className}">${toXmlText(text)}</p>\n`);
  const blocks = entries.map((entry) => {
    if (isHeading(entry)) return `<h2>${toXmlText(entry.heading)}</h2>\n`;
    const title = `<p><a href="${toXmlText(citing.addressOf(entry))}">${toXmlText(entry.title)}</a></p>\n`;
    const facts = paragraph('fine', factsOf(entry, citing).join(' · '));
    const note = paragraph('note', entry.note ?? '');
    return `<article>\n${title}${facts}${paragraph('fine', citationOf(entry, citing, style))}${note}</article>\n`;
  });
  const [title, archive] = [toXmlText(citing.title), toXmlText(citing.archive)];
  return `<!doctype html>
<html lang="${citing.language}" dir="${directionOf(citing.language) ?? 'ltr'}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${archive}</title>
<style>
${STYLE}
</style>
<h1>${title}</h1>
<p class="fine">${archive}</p>
${blocks.join('')}</html>
`;
}

function factsOf(item: SavedItem, citing: Citing): string[] {
  return [commas(item.kind, item.date), item.collection, timesOf(item, citing)].filter((fact) => fact !== '');
}

/** Returns the lines of each paragraph of a note. */
function notesOf({ note = '' }: SavedItem): string[][] {
  const paragraphs = toLegible(note)
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/);
  return paragraphs.map((text) => text.split('\n').filter((line) => line.trim() !== '')).filter((lines) => lines.length > 0);
}
