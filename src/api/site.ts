/** Answers with the files of a built site. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentType } from 'mime-types';
import { sendFile, sendText, tagOf } from './files.ts';
import { type FoundFile, fileNameIn, findFile } from './paths.ts';

const INDEX = 'index.html';
const NOT_FOUND = '404.html';

/** Answers where the site has a file at this path; false where it has none. */
export function answerFromSite(dir: string, pathname: string, request: IncomingMessage, response: ServerResponse): boolean {
  const isFolder = pathname.endsWith('/');
  const name = fileNameIn(isFolder ? `${pathname}${INDEX}` : pathname);
  if (name === undefined) return false;
  const file = findFile(dir, name);
  if (file) sendPage(request, response, file);
  else if (!isFolder && findFile(dir, `${name}/${INDEX}`)) sendText(response, 301, 'Moved', { location: `${pathname}/` });
  else return false;
  return true;
}

/** The site's own page for what is not there. */
export function answerNotFound(dir: string | undefined, request: IncomingMessage, response: ServerResponse): void {
  const page = dir === undefined ? undefined : findFile(dir, NOT_FOUND);
  if (!page) return void sendText(response, 404, 'Not found');
  response.statusCode = 404;
  for (const name of Object.keys(request.headers)) if (/^(?:range|if-)/.test(name)) delete request.headers[name];
  sendPage(request, response, page);
}

function sendPage(request: IncomingMessage, response: ServerResponse, file: FoundFile): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  const type = contentType(file.path.slice(file.path.lastIndexOf('.'))) || 'application/octet-stream';
  sendFile(request, response, { ...file, type, tag: tagOf(file), compress: true });
}
