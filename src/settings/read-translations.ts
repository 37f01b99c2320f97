/** Reads and writes a project's own words of the interface: `languages/de.json` in its directory. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../model/errors.ts';
import { LANGUAGES, type Language } from '../model/text/languages.ts';
import { createDirectories } from '../platform/create-directory.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { formatBytes } from '../platform/quantities.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { isShipped, type OwnWords } from '../site/language/locale.ts';
import * as translations from '../site/language/translations.ts';
import { parseJsonObject } from './json-object.ts';

/** In the working directory. */
const DIRECTORY = 'languages';
const MAX_BYTES = 2_000_000;

const fileOf = (language: Language) => `${language}.json`;

/**
 * Returns the words that a project has in some languages; undefined if it has none.
 * @throws {UsageError} if a file cannot be used, or if a language has no words at all
 */
export function readOwnWords(languages: readonly Language[]): OwnWords | undefined {
  const words = languages.flatMap((language): Array<[Language, translations.Words]> => {
    const file = readTranslation(language);
    if (file) return [[language, translations.translatedWords(file)]];
    if (isShipped(language)) return [];
    throw new UsageError(
      `The language "${language}" is not one of ${LANGUAGES.join(', ')}, and this project has no ${DIRECTORY}/${fileOf(language)}. Write that file with "microfiche translate ${language}".`,
    );
  });
  return words.length === 0 ? undefined : Object.fromEntries(words);
}

/** Writes the file of a language with all keys. Returns where it stands. */
export function writeTranslation(language: Language): { file: string } & ReturnType<typeof translations.countTranslated> {
  const completed = translations.completeTranslation(readTranslation(language) ?? {}, language);
  createDirectories(DIRECTORY);
  replaceFile(toSafeDirectory(DIRECTORY), fileOf(language), `${JSON.stringify(completed, undefined, 2)}\n`);
  return { file: `${DIRECTORY}/${fileOf(language)}`, ...translations.countTranslated(completed, language) };
}

/** Reads and checks the file of a language; undefined if there is none. */
function readTranslation(language: Language): translations.Words | undefined {
  const name = fileOf(language);
  const shown = `${DIRECTORY}/${name}`;
  if (!existsSync(join(DIRECTORY, name))) return undefined;
  const directory = toSafeDirectory(DIRECTORY);
  if (!isRegularFile(directory, name)) throw new UsageError(`${shown} is a link or no file. Put the file itself there.`);
  const { size = 0 } = directory.stat(name) ?? {};
  if (size > MAX_BYTES)
    throw new UsageError(`${shown} has ${formatBytes(size)}, and at most ${formatBytes(MAX_BYTES)} are allowed.`);
  const file = parseJsonObject(readFileSync(directory.resolve(name)), shown, 'words of the interface');
  const problems = translations.checkTranslation(file, language);
  if (problems.length === 1) throw new UsageError(`${shown}: ${problems[0]}`);
  if (problems.length > 1)
    throw new UsageError([`${shown} has ${problems.length} problems:`, ...problems.map((each) => `  ${each}`)].join('\n'));
  return file;
}
