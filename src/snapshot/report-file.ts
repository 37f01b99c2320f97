/** Reads and writes the snapshot's report.txt. It has one section for the last harvest and one for the last run of `media`. */
import { readFileSync } from 'node:fs';
import { isRegularFile } from '../platform/directory-entries.ts';
import { deleteUnfinishedFile, replaceFile } from '../platform/replace-file.ts';
import { type SafeDirectory, toSafeDirectory } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { REPORT_FILE } from './file-names.ts';

/** The headings, in the file's order. Lines before any heading belong to the harvest, whose report was the only one at first. */
const SECTION_HEADINGS = { harvest: '', media: '== Media ==' } as const;
/** A section of the report. */
export type ReportSection = keyof typeof SECTION_HEADINGS;
/** Maximum characters in a line. */
const MAX_LINE_LENGTH = 4000;

/**
 * Replaces one section of the report in the snapshot directory `dir`. The other sections stay. The file is replaced atomically.
 * If it is a symbolic link, the link itself is replaced; its target is neither read nor changed.
 */
export function writeReport(dir: string, section: ReportSection, lines: readonly string[]): void {
  const safeDir = toSafeDirectory(dir);
  const sections = parseSections(readReport(safeDir));
  const printable = lines.map((line) => toPrintable(line, MAX_LINE_LENGTH));
  sections.set(section, printable);
  writeSections(safeDir, sections);
}

/** Deletes the lines of the report that name one of the records, or the URL of a purged file. */
export function deleteFromReport(dir: string, ids: ReadonlySet<string>, isPurgedUrl: (url: string) => boolean): void {
  const safeDir = toSafeDirectory(dir);
  deleteUnfinishedFile(safeDir, REPORT_FILE);
  const isKept = (line: string) =>
    !line.split(/[^\w-]+/).some((word) => ids.has(word)) &&
    !(line.match(/https?:\/\/\S+/g) ?? []).some((url) => isPurgedUrl(url) || isPurgedUrl(url.replace(/\)[,.]?$/, '')));
  const before = parseSections(readReport(safeDir));
  const after = new Map([...before].map(([section, lines]) => [section, lines.filter(isKept)]));
  if ([...before].some(([section, lines]) => after.get(section)?.length !== lines.length)) writeSections(safeDir, after);
}

function writeSections(safeDir: SafeDirectory, sections: ReadonlyMap<ReportSection, string[]>): void {
  const blocks = Object.entries(SECTION_HEADINGS).flatMap(([one, heading]) => {
    const own = sections.get(one as ReportSection) ?? [];
    return own.length === 0 ? [] : [[...(heading === '' ? [] : [heading]), ...own].join('\n')];
  });
  replaceFile(safeDir, REPORT_FILE, `${blocks.join('\n\n')}\n`);
}

function parseSections(text: string): Map<ReportSection, string[]> {
  const sections = new Map<ReportSection, string[]>();
  let section: ReportSection = 'harvest';
  for (const line of text.trimEnd().split('\n')) {
    const next = (Object.keys(SECTION_HEADINGS) as ReportSection[]).find(
      (one) => SECTION_HEADINGS[one] !== '' && SECTION_HEADINGS[one] === line,
    );
    section = next ?? section;
    const lines = sections.get(section) ?? [];
    sections.set(section, lines);
    if (next === undefined) lines.push(line);
  }
  for (const lines of sections.values()) while (lines.at(-1) === '') lines.pop();
  return sections;
}

/** Returns the text of the report; empty if it does not exist or is not a regular file. */
function readReport(safeDir: SafeDirectory): string {
  return isRegularFile(safeDir, REPORT_FILE) ? readFileSync(safeDir.resolve(REPORT_FILE), 'utf8') : '';
}
