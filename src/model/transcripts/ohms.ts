/**
 * Reads the XML of OHMS, the Oral History Metadata Synchronizer: a transcript whose lines are synchronized at whole minutes, its
 * translation, and an index. `sync` is such as `1:|12(5)|24(8)`: each so many minutes, and the line and word at each of them. The
 * schema is at weareavp.com/nunncenter/ohms; what `sync` means is defined by the OHMS Viewer.
 */
import { type Cue, parseCues } from '../media/captions.ts';
import { type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** Returns the texts of an OHMS file: the transcript, its translation and the index in both languages, as far as it has them. */
export function readOhms(xml: string): TranscriptText[] {
  const { fields, points } = readRecord(xml);
  const text = (suffix: '' | '_alt') => {
    const captions = fields.get(`vtt_transcript${suffix}`) ?? '';
    const cues = captions.trim() === '' ? [] : parseCues(captions);
    return cues.length > 0
      ? { cues, text: '', isHtml: false }
      : synchronize(fields.get(`transcript${suffix}`) ?? '', fields.get(`sync${suffix}`) ?? '');
  };
  const about = (suffix: '' | '_alt') => points.flatMap((point) => describePoint(point, suffix));
  const index = (suffix: '' | '_alt') => textOfUtterances(about(suffix), 'index');
  const all = [text(''), { ...text('_alt'), kind: 'translation' as const }, index(''), index('_alt')];
  return all.filter((each) => each.cues.length > 0 || each.text !== '');
}

/** Fields of a record or of a point of its index, by name; repeated ones are separated by semicolons. */
type Fields = Map<string, string>;

function readRecord(xml: string): { fields: Fields; points: Fields[] } {
  const fields: Fields = new Map();
  const points: Fields[] = [];
  let target = fields;
  let name: string | undefined;
  for (const piece of readXml(xml)) {
    if (piece.type === 'text') {
      if (name !== undefined) target.set(name, (target.get(name) ?? '') + piece.text);
      continue;
    }
    if (piece.name === 'point') {
      target = piece.type === 'start' ? new Map() : fields;
      if (piece.type === 'start') points.push(target);
    }
    name = piece.type === 'start' ? piece.name : undefined;
    if (name !== undefined && target.has(name)) target.set(name, `${target.get(name)}; `);
  }
  return { fields, points };
}

/** Returns a transcript as one caption for each interval of its synchronization; as text without one. */
function synchronize(transcript: string, sync: string): TranscriptText {
  const [said = ''] = transcript.replace(/\[\[\/?footnotes\]\]/g, '').split('[[note]]');
  const lines = said
    .replace(/^\s*Transcript:\s*/, '')
    .replace(/\{[\d:]*\}|\[\[footnote\]\]\d+\[\[\/footnote\]\]/g, '')
    .split(/\r\n?|\n/);
  const [, minutes, marks = ''] = /^\s*(\d+(?:\.\d+)?)?:(.*)$/s.exec(sync) ?? [];
  const starts = marks.split('|').flatMap((mark) => Number.parseInt(mark, 10) || []);
  if (starts.length === 0) return { cues: [], text: lines.join('\n').trim(), isHtml: false };
  const interval = (Number(minutes) || 1) * 60;
  const cues = [0, ...starts].flatMap((from, i, all): Cue[] => {
    const text = oneLine(lines.slice(from, all[i + 1]).join(' '));
    return text === '' ? [] : [{ start: i * interval, end: (i + 1) * interval, voice: undefined, text }];
  });
  return { cues, text: '', isHtml: false };
}

/** Fields of a point that say what is spoken about, in the order of the OHMS Viewer. */
const POINT_FIELDS = ['partial_transcript', 'synopsis', 'keywords', 'subjects', 'gps_text', 'hyperlink_text'];

/** Returns a point of the index, with its title as its voice; nothing if it has neither title nor text in that language. */
function describePoint(point: Fields, suffix: '' | '_alt'): Utterance[] {
  const value = (name: string) => oneLine(point.get(`${name}${suffix}`) ?? '').replace(/\s*;\s*/g, '; ');
  const [title, ...about] = [value('title'), ...POINT_FIELDS.map(value)];
  const text = about.filter((each) => each !== '').join(' · ');
  const start = Number.parseFloat(point.get('time') ?? '');
  if (title === '' && text === '') return [];
  return [{ start, voice: text === '' ? undefined : title, text: text || (title ?? '') }];
}
