/** The notice at the path of a new page while a site is published. */
import { escapeHtml } from '../model/markup.ts';
import { contentSecurityPolicy } from '../site/csp.ts';
import { createLocales, LANGUAGES } from '../site/language/locale.ts';

/** Returns a page without links that says in each language that the page is not there yet. */
export function renderPlaceholder(): string {
  const notices = createLocales(LANGUAGES).map(({ language, t }) => `<p lang="${language}">${escapeHtml(t.notFound.notYet)}</p>`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Microfiche</title></head><body><main>${notices.join('')}</main></body></html>\n`;
}
