/** What stands in the root of a stick for whoever finds it: a page to open by double click, and a text that says what this is. */
import { contentSecurityPolicy } from '../../site/csp.ts';
import { createEditions, LANGUAGES } from '../../site/language/edition.ts';
import { escapeHtml } from '../../site/sanitize.ts';
import { START_NAME } from '../stick-names.ts';

const STYLE =
  'body { font: 1.25rem/1.6 Georgia, serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }';

const editions = () => createEditions(LANGUAGES);

/** Leads to the first page of the mirror, by itself and by a link in each language. */
export function startPage(title: string, first: string): string {
  const lines = editions().map(
    ({ language, t }) => `<p lang="${language}"><a href="${escapeHtml(first)}">${escapeHtml(t.usb.open(title))}</a></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy({ style: STYLE })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${escapeHtml(first)}">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${lines.join('\n')}
</body>
</html>
`;
}

/** In each language; lines end as the oldest editors want them. */
export function readmeText(title: string, folder: string): string {
  const parts = editions().map(({ t }) => [t.usb.open(title), '', t.usb.how(START_NAME), t.usb.check(folder), ''].join('\n'));
  return `${title}\n${'='.repeat(Math.min(60, title.length))}\n\n${parts.join('\n')}`.replaceAll('\n', '\r\n');
}
