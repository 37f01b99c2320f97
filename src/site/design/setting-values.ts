/** Values in the settings of a site: texts by language, files, IDs. */
import { z } from 'zod';
import { isObjectId } from '../../model/ids.ts';
import { isLanguage } from '../../model/text/language-tag.ts';
import { LANGUAGES } from '../../model/text/languages.ts';
import type { LocalText } from '../../model/text/local-text.ts';

/** Characters of a text. */
export const MAX_TEXT = 2_000;
/** Characters of a title or label. */
export const MAX_TITLE = 200;

const UNKNOWN_LANGUAGE = 'is in no known language: name it by its BCP 47 tag, such as "es" or "pt-BR"';

/** Returns the schema of a text, which may have one version for each language. */
export function localText(max: number): z.ZodType<LocalText> {
  const message = `must be text of at most ${max.toLocaleString('en')} characters, or such texts by language, as in {"en": "…", "es": "…"}`;
  const one = z.string(message).trim().min(1, message).max(max, message);
  const byLanguage = z
    .object(Object.fromEntries(LANGUAGES.map((language) => [language, one.optional()])), message)
    .catchall(one)
    .refine((texts) => Object.keys(texts).length > 0, message)
    .superRefine((texts, context) => {
      for (const tag of Object.keys(texts))
        if (!isLanguage(tag)) context.addIssue({ code: 'custom', path: [tag], message: UNKNOWN_LANGUAGE });
    });
  return z.union([one, byLanguage], message) as z.ZodType<LocalText>;
}

/** Returns the schema of the path of a file. `kinds` names the extensions. */
export function filePath(kinds: string) {
  const message = `must be the path of a file (${kinds})`;
  return z.string(message).min(1, message);
}

/** Returns the message about a value that is not one of some names. */
export const oneOf = (names: readonly string[]) => `must be one of ${names.map((name) => `"${name}"`).join(', ')}`;

const RECORD_MESSAGE = 'must be the ID of a record such as demo-org-1-2';
/** The schema of the ID of a record. */
export const recordId = z.string(RECORD_MESSAGE).refine(isObjectId, RECORD_MESSAGE);

/** Refuses a list that has a name twice. `nameOf` returns the name of an element, which is at `path` in it. */
export function withoutRepeats<T>(nameOf: (element: T) => string, path: readonly string[] = []) {
  return (list: readonly T[], context: z.core.$RefinementCtx<readonly T[]>) => {
    const names = list.map(nameOf);
    for (const [i, name] of names.entries())
      if (names.indexOf(name) < i) context.addIssue({ code: 'custom', path: [i, ...path], message: `must not repeat "${name}"` });
  };
}

/** Whether a text is a URL of the web. */
export const isWebUrl = (text: string): boolean => WEB_URL.test(text) && URL.canParse(text);
/** Whether a text is without a user name and password, which the URL of a page would publish. */
export function hasNoPassword(text: string): boolean {
  if (!isWebUrl(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
/** The end of a sentence about a URL that has one. */
export const PASSWORD_MESSAGE = 'must have no user name or password';
const WEB_URL = /^https?:\/\/\S+$/;
const URL_MESSAGE = 'must be a URL that begins with https:// or http://';
/** The schema of a URL of the web. */
export const webUrl = z
  .string(URL_MESSAGE)
  .regex(WEB_URL, { error: URL_MESSAGE, abort: true })
  .refine(isWebUrl, { error: URL_MESSAGE, abort: true })
  .refine(hasNoPassword, PASSWORD_MESSAGE);
