/** Writes docs/dates.md from the table of date forms that the tests read. */
import { join } from 'node:path';
import dateForms from '../../src/model/dates/forms.json' with { type: 'json' };

/** Path of docs/dates.md. */
export const DATES_REFERENCE = join(import.meta.dirname, '../../docs/dates.md');

/** Readings of a form, and examples of one reading. The file has all. */
const MAX_READINGS = 10;
const MAX_EXAMPLES = 2;

/** Returns the text of docs/dates.md. */
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
  return `${HEAD}\n${forms.join('\n')}\n## Texts that are not read\n\nNo reading of these is certain: ${codes(dateForms.unread)}.\n`;
}

const HEAD = `# Dates

<!-- Made by \`npm run docs\` from src/model/dates/forms.json, whose examples the tests read. Change that, not this one. -->

Catalogers write dates in many ways. Microfiche reads a date once, and uses that reading for browsing, the timeline, search, sorting, citations and
metadata. Below are the forms that it reads, with examples; \`src/model/dates/forms.json\` has more.

Pages write a date in their language if its words say no more than the reading: *12 June 1955* is *June 12, 1955* on an English page
(\`src/model/dates/plain.ts\`). Other dates are shown in the archive's own words, which are always in the full record and in exports.

- The reading is given in [EDTF](https://www.loc.gov/standards/datetime/) (ISO 8601-2): \`~\` is approximate, \`?\` uncertain, \`%\` both, \`..\`
  an open end, \`X\` an unknown digit; \`-21\` to \`-24\` are spring to winter.
- A record's date is its \`creation\`, or else its \`unitdateinclusive\`. If that cannot be read, the periods of its \`chronology\` count.
- A day that could be two, such as \`3/4/1942\`, and a year of two digits are resolved by the other dates of the record: a digitization is after 1995,
  after the creation, and before the record's last change. Then the order of the record's own dates counts, and then that of the archive's dates that
  only one order can read. What remains is shown as written, counts for its year, and is listed by \`microfiche build\`.
- A period whose name is its dates, such as *1960–1969*, is that period.
- “Early”, “mid” and “late” mean about half of a decade or century. “Before 1942” and “after 1942” belong to no year, and are listed in the decade of
  the year beside it.
- If no form fits, but the text has one four-digit year that is not a number of something else, that year is the approximate date.
- Any other text is undated. \`microfiche build\` reports such texts and their number.
`;
