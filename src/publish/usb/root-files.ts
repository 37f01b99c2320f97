/** Creates the files in the root of a USB drive: a page to open with a double click, and a text that says what this is. */
import { escapeHtml } from '../../model/markup.ts';
import { contentSecurityPolicy } from '../../site/csp.ts';
import { createLocales, LANGUAGES } from '../../site/language/locale.ts';
import { START_FILE } from '../usb-names.ts';

const START_PAGE_CSS =
  'body { font: 1.25rem/1.6 Georgia, serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }';

const SIGNATURE_COMMAND = 'ssh-keygen -Y verify -f signers -I NAME -n file -s manifest-sha256.txt.sig < manifest-sha256.txt';

const locales = () => createLocales(LANGUAGES);

/** Returns a page that redirects to the home page at `homePath`, with a link in each language. */
export function renderStartPage(title: string, homePath: string): string {
  const links = locales().map(
    ({ language, t }) => `<p lang="${language}"><a href="${escapeHtml(homePath)}">${escapeHtml(t.usb.open(title))}</a></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy({ style: START_PAGE_CSS })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${escapeHtml(homePath)}">
<title>${escapeHtml(title)}</title>
<style>${START_PAGE_CSS}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${links.join('\n')}
</body>
</html>
`;
}

/** What the README describes. */
export interface DriveContent {
  /** The directory of the site. */
  directory: string;
  /** Whether the manifest has a signature. */
  isSigned: boolean;
  /** Name of the file with the source of this program; undefined if it is not on the drive. */
  sourceFile: string | undefined;
}

/** Returns the text of the README in all languages. Lines end with CRLF, for old editors on Windows. */
export function renderReadme(title: string, { directory, isSigned, sourceFile }: DriveContent): string {
  const sections = locales().map(({ t }) =>
    [
      ...[t.usb.open(title), '', t.usb.how(START_FILE), t.usb.check(directory)],
      ...(isSigned ? [t.usb.signature(SIGNATURE_COMMAND)] : []),
      ...(sourceFile === undefined ? [] : [t.usb.source(sourceFile)]),
      '',
    ].join('\n'),
  );
  return `${title}\n${'='.repeat(Math.min(60, title.length))}\n\n${sections.join('\n')}`.replaceAll('\n', '\r\n');
}
