/** `microfiche translate`: writes a file with the words of the interface that await translation, and says where it stands. */
import type { Language } from '../../src/model/text/languages.ts';
import { formatCount, lineIf } from '../../src/platform/text-lines.ts';
import { writeTranslation } from '../../src/settings/read-translations.ts';

/** Runs the command `translate`. */
export function translate(language: Language) {
  const { file, texts, translated, changed } = writeTranslation(language);
  const lines = [
    `${language}: ${translated} of ${formatCount(texts, 'text')} translated, in ${file}.`,
    ...lineIf(
      changed,
      `${formatCount(changed, 'text')} with “? ” before the key differ from what pages show: delete “? ” where they are translated.`,
    ),
  ];
  return { report: { language, file, texts, translated, changed }, lines };
}
