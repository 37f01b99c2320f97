/** Writes captions and indexes in formats of other programs: WebVTT, and the XML of OHMS. They are read back as they were. */
import type { Cue } from '../media/captions.ts';
import { toOneLine } from '../text/legible.ts';
import { toXmlText, xmlElement } from '../text/xml.ts';
import { type Fields, INDEX_LANGUAGES, type IndexPoint, POINT_FIELDS, type RecordingIndex } from './index-points.ts';
import type { TranscriptText } from './transcript-text.ts';

/** Returns captions as WebVTT, or the titles of an index as chapters. Those without words are left out. */
export function formatVtt(cues: readonly Cue[], kind: TranscriptText['kind']): string {
  const blocks = cues.flatMap(({ start, end, voice, speaker: known, text }) => {
    const isTitle = kind === 'index';
    const [said, speaker] = [escapeCue((isTitle && voice) || text), isTitle ? '' : escapeCue(voice ?? known ?? '')];
    const times = `${formatTime(start)} --> ${formatTime(Math.max(end, start + 0.001))}`;
    // A name that ends in dashes must not make an arrow with the end of its tag.
    const tag = speaker === '' ? '' : `<v ${speaker.replace(/-$/, '- ')}>`;
    return said === '' ? [] : [`${times}\n${tag}${said}`];
  });
  return `${[kind === 'index' ? 'WEBVTT\nKind: chapters' : 'WEBVTT', ...blocks].join('\n\n')}\n`;
}

function escapeCue(text: string): string {
  return toOneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function formatTime(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${[h, m, s].map((part) => String(part).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}

/** The namespace of OHMS, by which its files are known. */
const NAMESPACE = 'https://www.weareavp.com/nunncenter/ohms';

/** Returns an index as the XML of OHMS. */
export function formatOhms({ points, language, translation }: RecordingIndex): string {
  const record = [
    field('language', language),
    field('transcript_alt_lang', translation),
    field('translate', translation === '' ? '0' : '1'),
    `<index>\n${points.map(formatPoint).join('')}</index>\n`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ROOT xmlns="${NAMESPACE}">\n<record>\n${record.join('')}</record>\n</ROOT>\n`;
}

function formatPoint({ start, fields, places, links }: IndexPoint): string {
  const group = (name: string, members: readonly Fields[], names: readonly string[]) =>
    members.map((each) => `<${name}>\n${inBoth(each, names)}</${name}>\n`).join('');
  const lists = [
    group('gpspoints', places, ['gps', 'gps_zoom', 'gps_text']),
    group('hyperlinks', links, ['hyperlink', 'hyperlink_text']),
  ];
  return `<point>\n${field('time', String(start))}${inBoth(fields, POINT_FIELDS)}${lists.join('')}</point>\n`;
}

/** Returns fields with those of the other language. */
function inBoth(fields: Fields, names: readonly string[]): string {
  return names
    .flatMap((name) => INDEX_LANGUAGES.map((suffix) => field(`${name}${suffix}`, fields[`${name}${suffix}`] ?? '')))
    .join('');
}

const field = (name: string, text: string): string => (text === '' ? '' : `${xmlElement(name, {}, toXmlText(text))}\n`);
