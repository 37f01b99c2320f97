/** The media files of a record as digital objects of EAD3. */
import { safeExternalUrl } from '../../model/external-url.ts';
import { isObjectId } from '../../model/ids.ts';
import { filesOfRecord } from '../../model/media.ts';
import { truncateWords } from '../../model/text.ts';
import { toXmlText, xmlElement } from '../../model/xml.ts';
import { readMediaByUrl } from '../../snapshot/read.ts';
import { portablePath } from '../portable-media.ts';
import { type Described, describe, type FindingAidContext, pageUrl } from './ead-context.ts';

const MAX_TITLE_LENGTH = 200;
/** More files of one record are left out. */
const MAX_FILES = 1_000;

interface DigitalObject {
  href: string;
  kind: string;
  title: string;
  identifier: string | undefined;
  note: string;
}

/** Returns the record's page and its files, as `dao` or `daoset`; empty if it has no files. */
export function digitalObjects(described: Described, context: FindingAidContext): string {
  const { record, entry } = described;
  const fileRecords = context.relations.files(entry.id).slice(0, MAX_FILES);
  const objects = new Map<string, DigitalObject>();
  for (const owner of [described, ...fileRecords.map((file) => describe(file, context))])
    for (const object of filesOf(owner, context)) if (!objects.has(object.href)) objects.set(object.href, object);
  const page = pageUrl(record, context);
  const isShown = objects.size > 0 || entry.streamOnlyUrls.length > 0;
  if (isShown && page !== undefined && !objects.has(page))
    objects.set(page, { href: page, kind: 'page', title: entry.title, identifier: undefined, note: '' });
  const elements = [...objects.values()].slice(0, MAX_FILES).map(digitalObject);
  return elements.length > 1 ? xmlElement('daoset', { coverage: 'whole' }, elements.join('')) : elements.join('');
}

function filesOf({ record, entry }: Described, { publicStore, mediaBase, isWithheld }: FindingAidContext): DigitalObject[] {
  const id = entry.model === 'file' ? entry.id : undefined;
  return filesOfRecord(record).flatMap(({ url, kind }) => {
    if (kind === 'thumb' || publicStore.filter.hidesMedia({ url, owner: isObjectId(entry.id) ? entry.id : '' })) return [];
    const media = readMediaByUrl(publicStore, url);
    const isStored = media?.state === 'stored' && media.path !== null;
    const href =
      isStored && mediaBase !== undefined
        ? `${mediaBase}${encodeURI(portablePath(media, isWithheld) ?? '')}`
        : safeExternalUrl(url);
    if (href === undefined) return [];
    const facts = isStored ? [media.mimetype, media.size === null ? null : `${media.size} bytes`, `SHA-256 ${media.sha256}`] : [];
    const note = facts.filter((fact) => fact !== null).join(', ');
    return [{ href, kind, title: truncateWords(entry.title, MAX_TITLE_LENGTH), identifier: id, note }];
  });
}

/** Whether a file was made from a physical item is not known. */
function digitalObject({ href, kind, title, identifier, note }: DigitalObject): string {
  const content = note === '' ? '' : `<descriptivenote><p>${toXmlText(note)}</p></descriptivenote>`;
  return xmlElement('dao', { daotype: 'unknown', localtype: kind, href, linktitle: title, identifier }, content);
}
