/** The lists of what readers sent: as Markdown for people, as CSV for spreadsheets, as JSON for programs. */
import type { RecordAsShown } from '../../formats/contribution.ts';
import { formatTime } from '../../formats/moments.ts';
import { formatLine } from '../../model/text/csv.ts';
import { formatCount, toPrintable } from '../../platform/text-lines.ts';
import type { AboutSubject, Inbox, Received, RecordState } from './read-inbox.ts';

/** The names of the files, with what writes them. */
export const INBOX_FILES: Readonly<Record<string, (inbox: Inbox) => string>> = {
  'inbox.md': formatMarkdown,
  'inbox.csv': formatCsv,
  'inbox.json': (inbox) => `${JSON.stringify(inbox, null, 2)}\n`,
};

const STATES: Readonly<Record<RecordState, string>> = {
  unchanged: 'The record is the same now.',
  changed: 'The record has changed since.',
  absent: 'The snapshot does not have this record.',
  withheld: 'This record is withheld.',
  unknown: '',
};

/** Returns untrusted text as one line of Markdown, without markup or links. */
const inline = (text: string): string => toPrintable(text, 1_000).replace(/[\\`*_[\]<>&#|~$!@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

/** Returns untrusted text of several lines as a block of code, in which nothing is markup. */
function block(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).map((line) => toPrintable(line, Number.POSITIVE_INFINITY));
  return [fence, ...lines, fence].join('\n');
}

/** Returns in one sentence how much an inbox has. */
export function summarize({ files, subjects }: Inbox): string {
  const count = subjects.reduce((sum, about) => sum + about.count, 0);
  return `${formatCount(count, 'contribution')} about ${formatCount(subjects.length, 'record or person', 'records and people')}, from ${formatCount(files.length, 'file')}.`;
}

function formatMarkdown(inbox: Inbox): string {
  const blocks = [
    '# Contributions',
    `${summarize(inbox)} Nothing of this is published by itself.`,
    ...inbox.problems.map(({ file, problem }) => `- Not read: ${inline(file)}: ${inline(problem)}`),
    ...inbox.subjects.flatMap(subjectBlocks),
  ];
  return `${blocks.filter((each) => each !== '').join('\n\n')}\n`;
}

function subjectBlocks({ subject, state, count, contributions, now }: AboutSubject): string[] {
  const title = contributions.at(-1)?.record.title ?? '';
  return [
    `## ${inline(title === '' ? subject.id : `${title} (${subject.id})`)}`,
    state === 'withheld' ? `${STATES[state]} Contributions: ${count}.` : STATES[state],
    now ? `Now: ${inline(recordLine(now))}` : '',
    ...contributions.flatMap(contributionBlocks),
  ];
}

const recordLine = ({ title, date, description, credit }: RecordAsShown) =>
  [title, date, credit, description].filter((fact) => fact !== '').join(' · ');

function contributionBlocks({ at, kind, moment, text, mark, reader, record, archive, file, id }: Received): string[] {
  const when = moment === undefined ? '' : ` at ${formatTime(moment)}`;
  const where = mark ? ` in ${inline(mark.file)} at x ${mark.x}, y ${mark.y}, ${mark.width} × ${mark.height}` : '';
  const who = [reader.name, reader.contact].filter((part) => part.trim() !== '').map(inline);
  return [
    `### ${at.slice(0, 10)}: ${kind}${when}${where}`,
    block(text),
    `- From: ${who.join(', ') || 'no name'}. ${reader.mayPublish ? 'May be published' : 'Must not be published'}, ${reader.mayShowName ? 'with the name' : 'without the name'}.
- The record then: ${inline(recordLine(record))}
- The copy: ${inline(`${archive.title}, ${archive.url}, ${archive.harvestedAt.slice(0, 10)}`)}
- ${id} in ${inline(file)}`,
  ];
}

const COLUMNS = `kind id state contribution at about moment text image x y width height
  name contact mayPublish mayShowName title date credit description file`.split(/\s+/);

function formatCsv({ subjects }: Inbox): string {
  const rows = subjects.flatMap(({ subject, state, contributions }): Array<Readonly<Record<string, unknown>>> => {
    const about = { ...subject, state };
    if (contributions.length === 0) return [about];
    return contributions.map(({ id: contribution, kind, mark: { file: image, ...mark } = {}, reader, record, ...each }) => ({
      ...{ ...each, ...record, ...reader, ...mark, image, contribution, about: kind },
      ...about,
    }));
  });
  const cells = rows.map((row) => COLUMNS.map((column) => String(row[column] ?? '')));
  return `\ufeff${[COLUMNS, ...cells].map(formatLine).join('')}`;
}
