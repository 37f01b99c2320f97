/** OAI-PMH 2.0 (https://www.openarchives.org/OAI/openarchivesprotocol.html): serves public records as Dublin Core. */
import { isIP } from 'node:net';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { startTag, type XmlAttributes, xmlElement } from '../model/text/xml.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { readBaseUrls } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { type OaiIndex, readOaiIndex } from './oai-records.ts';
import { OaiError, parseOaiRequest } from './oai-request.ts';
import { el, fulfill, type OaiSource } from './oai-verbs.ts';

/** Path of the protocol's base URL. */
export const OAI_PATH = '/oai';

const NAMESPACE = 'http://www.openarchives.org/OAI/2.0/';
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
/** No address has this domain (RFC 6761). */
const UNKNOWN_EMAIL = 'unknown@archive.invalid';
const UNKNOWN_DOMAIN = 'archive.invalid';
const MAX_REQUEST_BYTES = 10_000;

/**
 * Returns an app with the protocol at `OAI_PATH`. `shown` must be public only: nothing private or withheld is ever listed. The
 * app caches what it reads: create a new one after the snapshot has changed.
 */
export function createOai(
  store: Store,
  shown: VisibleStore,
  { adminEmail = UNKNOWN_EMAIL }: { adminEmail?: string | undefined } = {},
): Hono {
  let index: OaiIndex | undefined;
  const idPrefix = `oai:${domainOf(readBaseUrls(store).catalog)}:`;
  const app = new Hono();
  const limit = bodyLimit({ maxSize: MAX_REQUEST_BYTES, onError: (c) => c.text('The request is too long.', 413) });
  app.on(['GET', 'POST'], OAI_PATH, limit, async (c) => {
    const { origin, searchParams } = new URL(c.req.url);
    const parameters = c.req.method === 'POST' ? new URLSearchParams(await c.req.text()) : searchParams;
    const baseUrl = `${origin}${OAI_PATH}`;
    const readSource = () => {
      index ??= readOaiIndex(store, shown);
      return { shown, index, idPrefix, baseUrl, adminEmail };
    };
    return c.body(respond(parameters, baseUrl, readSource), 200, HEADERS);
  });
  app.all(OAI_PATH, (c) => c.text('Only GET and POST requests are accepted.', 405, { allow: 'GET, HEAD, POST' }));
  app.onError((error, c) => {
    console.error(`microfiche: ${toPrintable(c.req.url)}: ${toPrintable(error.message)}`);
    return c.text('Internal error. See the output of the server for the cause.', 500);
  });
  return app;
}

const HEADERS = { 'content-type': 'text/xml; charset=utf-8', 'content-security-policy': "default-src 'none'" };
const SCHEMA = { 'xmlns:xsi': SCHEMA_INSTANCE, 'xsi:schemaLocation': `${NAMESPACE} ${NAMESPACE}OAI-PMH.xsd` };

/** Returns the response to a request, which is an error of the protocol if the request is not valid. */
function respond(parameters: URLSearchParams, baseUrl: string, readSource: () => OaiSource): string {
  let attributes: XmlAttributes = {};
  let content: string;
  try {
    const request = parseOaiRequest(parameters);
    content = xmlElement(request.verb, {}, fulfill(request, readSource()));
    attributes = echo(parameters);
  } catch (error) {
    if (!(error instanceof OaiError)) throw error;
    if (error.code !== 'badVerb' && error.code !== 'badArgument') attributes = echo(parameters);
    content = el('error', error.message, { code: error.code });
  }
  const now = `${new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`;
  const head = `${el('responseDate', now)}\n${el('request', baseUrl, attributes)}`;
  const body = `${startTag('OAI-PMH', { xmlns: NAMESPACE, ...SCHEMA })}\n${head}\n${content}\n</OAI-PMH>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** Values that the protocol's schema accepts of arguments that can have any. */
const ECHOED: Readonly<Record<string, RegExp>> = {
  identifier: /^[a-z][a-z\d+.-]*:[\w.:/~!*'()-]*$/i,
  metadataPrefix: /^[\w.!~*'()-]+$/,
};

/** Returns the arguments of a valid request, which its response repeats. */
function echo(parameters: URLSearchParams): XmlAttributes {
  return Object.fromEntries([...parameters].filter(([name, value]) => ECHOED[name]?.test(value) ?? true));
}

/** Returns the domain in identifiers, which stay the same wherever the snapshot is served. */
function domainOf(catalogUrl: string): string {
  const { hostname } = new URL(catalogUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && /^[a-z][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)+$/.test(hostname)
    ? hostname
    : UNKNOWN_DOMAIN;
}
