/** Serves the files of a built site. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentType } from 'mime-types';
import { type FoundFile, findFile, parseFileName } from './request-paths.ts';
import { sendFile, sendText, weakTag } from './send-file.ts';

const INDEX = 'index.html';
const NOT_FOUND = '404.html';
/** Files that IIIF viewers on other hosts read. Everything in a site is public, unlike the media of a snapshot. */
const FOR_VIEWERS = /^(?:iiif|media|thumbs)\//;

/** Responds with the site's file at a path. Returns false, without a response, if it has none. */
export function serveFromSite(dir: string, pathname: string, request: IncomingMessage, response: ServerResponse): boolean {
  const isDirectory = pathname.endsWith('/');
  const name = parseFileName(isDirectory ? `${pathname}${INDEX}` : pathname);
  if (name === undefined) return false;
  const file = findFile(dir, name);
  if (file) {
    if (FOR_VIEWERS.test(name)) response.setHeader('Access-Control-Allow-Origin', '*');
    sendPage(request, response, file);
  } else if (!isDirectory && findFile(dir, `${name}/${INDEX}`)) sendText(response, 301, 'Moved', { location: `${pathname}/` });
  else return false;
  return true;
}

/** Responds with 404 and the site's own page for it, if there is one. */
export function serveNotFound(dir: string | undefined, request: IncomingMessage, response: ServerResponse): void {
  const page = dir === undefined ? undefined : findFile(dir, NOT_FOUND);
  if (!page) return void sendText(response, 404, 'Not found');
  response.statusCode = 404;
  for (const name of Object.keys(request.headers)) if (/^(?:range|if-)/.test(name)) delete request.headers[name];
  sendPage(request, response, page);
}

function sendPage(request: IncomingMessage, response: ServerResponse, file: FoundFile): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  const type = contentType(file.path.slice(file.path.lastIndexOf('.'))) || 'application/octet-stream';
  sendFile(request, response, { ...file, type, etag: weakTag(file), compress: true });
}
