/** Finds withheld names in media files, which cannot be redacted: neither a site nor `serve` may contain such a file. */
import { everyReading } from '../model/encoding/every-reading.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { toPlainText } from '../model/text/text.ts';
import { readStart } from '../platform/read-start.ts';
import type { Store } from './store.ts';

/** Media types in whose bytes no text can be read: they are images or sound, or compressed. */
const NOT_TEXT =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|ogg|zip|gzip|epub\+zip|x-(?:7z-compressed|bzip2)|vnd\.(?:openxmlformats|oasis)[\w.-]*)$)/;
const TEXT = /^text\/|[/+](?:xml|json)$/;

/**
 * Returns whether a media file contains a withheld name, in any charset that its bytes may be in. The beginnings of files of
 * other and unknown types are examined too, since they may be texts that were not recognized.
 * @throws {Error} if the file cannot be read
 */
export function containsWithheldNames({ filter }: Pick<Store, 'filter'>, file: string, mimetype: string | null): boolean {
  const redact = filter?.redactText;
  const type = mimetype?.toLowerCase() ?? '';
  if (!redact || NOT_TEXT.test(type)) return false;
  const isText = TEXT.test(type);
  const isNamed = (text: string) => redact(text) !== text;
  for (const text of everyReading(readStart(file, isText ? Number.POSITIVE_INFINITY : MAX_FILE_TEXT_LENGTH))) {
    // Markup or entities may be in the middle of a name.
    if (isNamed(text) || (isText && /[<&]/.test(text) && isNamed(toPlainText(text)))) return true;
  }
  return false;
}
