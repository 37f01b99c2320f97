/**
 * Reads the XML of OHMS, the Oral History Metadata Synchronizer: a transcript whose lines are synchronized at whole minutes, its
 * translation, and an index. `sync` is such as `1:|12(5)|24(8)`: each so many minutes, and the line and word at each of them. The
 * schema is at weareavp.com/nunncenter/ohms; what `sync` means is defined by the OHMS Viewer.
 */
import { type Cue, parseCues } from '../media/captions.ts';
import * as indexPoints from './index-points.ts';
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** Returns the texts of an OHMS file: the transcript, its translation and the index in both languages, as far as it has them. */
export function readOhms(xml: string): TranscriptText[] {
  const { fields, points: all } = readRecord(xml);
  const timed = all.filter(indexPoints.isTimed);
  const points = timed.length > 0 ? timed : all;
  const untimed = all.length - points.length;
  const text = (suffix: indexPoints.IndexLanguage) => {
    const captions = fields[`vtt_transcript${suffix}`] ?? '';
    const cues = captions.trim() === '' ? [] : parseCues(captions);
    return cues.length > 0
      ? { cues, text: '', isHtml: false }
      : synchronize(fields[`transcript${suffix}`] ?? '', fields[`sync${suffix}`] ?? '');
  };
  const about = (suffix: indexPoints.IndexLanguage) => points.flatMap((point) => describePoint(point, suffix));
  const indexes = indexPoints.INDEX_LANGUAGES.map((suffix) => textOfUtterances(about(suffix), 'index')).filter(isPresent);
  const index = indexPoints.createIndex(points, [fields['language'], fields['transcript_alt_lang']]);
  const texts = [text(''), { ...text('_alt'), kind: 'translation' as const }].filter(isPresent);
  return [
    ...texts,
    ...indexes.map((each, i) => ({ ...each, ...(i === 0 && index && { index }), ...(untimed > 0 && { untimed }) })),
  ];
}

const isPresent = ({ cues, text }: TranscriptText): boolean => cues.length > 0 || text !== '';

/** A point with its fields, and those of its places and links. */
type Point = ReturnType<typeof createPoint>;

function createPoint() {
  const none = (): Array<Record<string, string>> => [];
  return { start: Number.NaN, fields: {} as Record<string, string>, places: none(), links: none() };
}

/** Elements of a point that have fields of their own. Older files have one place and one link, among the fields of the point. */
const GROUPS = { gpspoints: 'places', hyperlinks: 'links' } as const;
const isGroup = (name: string): name is keyof typeof GROUPS => Object.hasOwn(GROUPS, name);

/** Returns the fields of a record, and the points of its index. */
function readRecord(xml: string): { fields: Record<string, string>; points: Point[] } {
  const fields: Record<string, string> = {};
  const points: Point[] = [];
  let target = fields;
  let name: string | undefined;
  for (const piece of readXml(xml)) {
    if (piece.type === 'text') {
      if (name !== undefined) target[name] = (target[name] ?? '') + piece.text;
      continue;
    }
    const isStart = piece.type === 'start';
    const point = points.at(-1);
    name = undefined;
    if (piece.name === 'point') {
      if (isStart) points.push(createPoint());
      target = isStart ? (points.at(-1)?.fields ?? fields) : fields;
    } else if (point && target !== fields && isGroup(piece.name)) {
      target = isStart ? {} : point.fields;
      if (isStart) point[GROUPS[piece.name]].push(target);
    } else if (isStart) {
      ({ name } = piece);
      if (Object.hasOwn(target, name)) target[name] = `${target[name]}; `;
    }
  }
  return { fields, points: points.map(completePoint) };
}

/** Sets when a point is, and takes the place and link of an older file for those of a newer one. */
function completePoint({ fields, places, links }: Point): Point {
  const start = parseClock(fields['time']) ?? Number(fields['time']?.trim() || Number.NaN);
  const or = (list: Point['places'], name: string) => (list.length > 0 || !Object.hasOwn(fields, name) ? list : [fields]);
  return { start, fields, places: or(places, 'gps'), links: or(links, 'hyperlink') };
}

/** What OHMS writes instead of one. */
const NO_TRANSCRIPT = /^no transcript\.?$/i;

/** Returns a transcript as one caption for each interval of its synchronization; as text without one. */
function synchronize(transcript: string, sync: string): TranscriptText {
  const [said = ''] = transcript.replace(/\[\[\/?footnotes\]\]/g, '').split('[[note]]');
  const lines = said
    .replace(/^\s*Transcript:\s*/, '')
    .replace(/\{[\d:]*\}|\[\[footnote\]\]\d+\[\[\/footnote\]\]/g, '')
    .split(/\r\n?|\n/);
  const [, minutes, marks = ''] = /^\s*(\d+(?:\.\d+)?)?:(.*)$/s.exec(sync) ?? [];
  const interval = (Number(minutes) || 1) * 60;
  // An interval may have no mark of its own.
  const starts = marks
    .replace(/^\|?/, '0|')
    .split('|')
    .flatMap((mark, i) => {
      const from = Number.parseInt(mark, 10);
      return from > 0 || i === 0 ? [{ from, start: i * interval }] : [];
    });
  if (starts.length === 1) return { cues: [], text: lines.join('\n').trim().replace(NO_TRANSCRIPT, ''), isHtml: false };
  const cues = starts.flatMap(({ from, start }, i): Cue[] => {
    const { from: to, start: end = start + interval } = starts[i + 1] ?? {};
    const text = oneLine(lines.slice(from, to).join(' '));
    return text === '' ? [] : [{ start, end, voice: undefined, text }];
  });
  return { cues, text: '', isHtml: false };
}

/** Returns a point of the index, with its title as its voice; nothing if it has neither title nor text in that language. */
function describePoint({ start, fields, places, links }: Point, suffix: indexPoints.IndexLanguage): Utterance[] {
  const [title = '', ...about] = indexPoints.POINT_FIELDS.map((name) => indexPoints.indexText(fields, name, suffix));
  const named = places.map((each) => indexPoints.indexText(each, 'gps_text', suffix)).filter(Boolean);
  const text = [...about, named.join('; ')].filter((each) => each !== '').join(' · ');
  if (title === '' && text === '') return [];
  const linked = indexPoints.pointLinks({ links }, suffix);
  return [{ start, voice: text === '' ? undefined : title, text: text || title, ...(linked.length > 0 && { links: linked }) }];
}
