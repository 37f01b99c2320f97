/** Reads and writes the snapshot's report.txt. It has one section for the last harvest and one for the last run of `media`. */
import { readFileSync } from 'node:fs';
import { isRegularFile } from '../platform/directory-entries.ts';
import { deleteUnfinishedFile, replaceFile } from '../platform/replace-file.ts';
import { type SafeDirectory, toSafeDirectory } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { REPORT_FILE } from './file-names.ts';

/** A section of the report, in the file's order. That of the harvest, which was the only one at first, has no heading. */
export type ReportSection = 'harvest' | 'media';
const MEDIA_HEADING = '== Media ==';
/** Maximum characters in a line. */
const MAX_LINE_LENGTH = 4000;

/**
 * Replaces one section of the report in the snapshot directory `dir`. The other sections stay. The file is replaced atomically.
 * If it is a symbolic link, the link itself is replaced; its target is neither read nor changed.
 */
export function writeReport(dir: string, section: ReportSection, lines: readonly string[]): void {
  const safeDir = toSafeDirectory(dir);
  const printable = lines.map((line) => toPrintable(line, MAX_LINE_LENGTH));
  writeSections(safeDir, { ...readSections(safeDir), [section]: printable });
}

/** Deletes the lines of the report that name one of the records, or the URL of a purged file. */
export function deleteFromReport(dir: string, ids: ReadonlySet<string>, isPurgedUrl: (url: string) => boolean): void {
  const safeDir = toSafeDirectory(dir);
  deleteUnfinishedFile(safeDir, REPORT_FILE);
  const isKept = (line: string) =>
    !line.split(/[^\w-]+/).some((word) => ids.has(word)) &&
    !(line.match(/https?:\/\/\S+/g) ?? []).some((url) => isPurgedUrl(url) || isPurgedUrl(url.replace(/\)[,.]?$/, '')));
  const { harvest, media } = readSections(safeDir);
  const [harvestKept, mediaKept] = [harvest.filter(isKept), media.filter(isKept)];
  if (harvestKept.length + mediaKept.length < harvest.length + media.length)
    writeSections(safeDir, { harvest: harvestKept, media: mediaKept });
}

type Sections = Record<ReportSection, string[]>;

function writeSections(safeDir: SafeDirectory, { harvest, media }: Sections): void {
  const blocks = [harvest, media.length === 0 ? [] : [MEDIA_HEADING, ...media]].filter((lines) => lines.length > 0);
  replaceFile(safeDir, REPORT_FILE, `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`);
}

/** Returns the lines of each section; none if the report does not exist or is not a regular file. */
function readSections(safeDir: SafeDirectory): Sections {
  const text = isRegularFile(safeDir, REPORT_FILE) ? readFileSync(safeDir.resolve(REPORT_FILE), 'utf8') : '';
  const lines = text.trimEnd().split('\n');
  const start = lines.includes(MEDIA_HEADING) ? lines.indexOf(MEDIA_HEADING) : lines.length;
  const isFilled = (line: string) => line !== '';
  const [harvest, media] = [lines.slice(0, start), lines.slice(start + 1).filter((line) => line !== MEDIA_HEADING)];
  return {
    harvest: harvest.slice(0, harvest.findLastIndex(isFilled) + 1),
    media: media.slice(0, media.findLastIndex(isFilled) + 1),
  };
}
