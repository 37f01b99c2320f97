/** Writes the forms in docs/dates.md from the table of date forms that the tests read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import dateForms from '../../src/model/dates/forms.json' with { type: 'json' };

/** Path of docs/dates.md. */
export const DATES_REFERENCE = join(import.meta.dirname, '../../docs/dates.md');

/** Readings of a form, and examples of one reading. The file has all. */
const MAX_READINGS = 10;
const MAX_EXAMPLES = 2;

const FORMS = /(?<=<!-- forms: .* -->\n)[\s\S]*/;

/** Returns the text of docs/dates.md, with the forms as they are. */
export function datesReference(): string {
  const codes = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
  const forms = dateForms.forms.map(({ name, examples }) => {
    const readings = Map.groupBy(examples, ([text, edtf = '']) =>
      text === edtf ? 'as written' : edtf === 'undated' ? 'no date' : codes([edtf]),
    );
    const rows = [...readings]
      .slice(0, MAX_READINGS)
      .map(([reading, of]) => `- ${reading}: ${codes(of.slice(0, MAX_EXAMPLES).map(([text = '']) => text))}`);
    return `## ${name}\n\n${rows.join('\n')}\n`;
  });
  const unread = `## Texts that are not read\n\nNo reading of these is certain: ${codes(dateForms.unread)}.\n`;
  return readFileSync(DATES_REFERENCE, 'utf8').replace(FORMS, () => `\n${forms.join('\n')}\n${unread}`);
}
