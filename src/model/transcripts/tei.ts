/** Reads transcriptions in TEI: `u` (spoken texts, chapter 8 of the TEI Guidelines), `sp` (as in drama), and plain paragraphs. */
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml, type XmlPiece } from './xml-pieces.ts';

/** Elements that are one paragraph, if they are not within another one. */
const BLOCKS: ReadonlySet<string> = new Set(
  `u p ab l head item stage said quote row label opener closer dateline salute signed byline trailer titlePart addrLine`.split(
    ' ',
  ),
);
/** Elements that are between words. */
const SPACES: ReadonlySet<string> = new Set(['lb', 'pb', 'cb', 'w', 'seg', 'cell', 'pause', 'anchor']);
/** Elements of the text that are not part of what is said. */
const SKIPPED: ReadonlySet<string> = new Set(['note', 'fw', 'timeline', 'standOff', 'facsimile', 'spanGrp']);
/** What a `choice` also says: the form that was corrected, made regular or expanded. */
const REPLACED: ReadonlySet<string> = new Set(['sic', 'orig', 'abbr']);
/** What happens while a person speaks, such as laughter: in brackets. */
const EVENTS: ReadonlySet<string> = new Set(['vocal', 'kinesic', 'incident']);

/** What is longer is no name. */
const MAX_NAME_LENGTH = 200;

/** Returns the text of a TEI document, with times if each utterance points to the document's timeline. */
export function readTei(xml: string): TranscriptText {
  const pieces = readXml(xml);
  const people = new Map<string, string>();
  const named = new Set<string>();
  const times = readTimeline(pieces);
  const utterances: Utterance[] = [];
  let [header, skipped, depth, choice] = [0, 0, 0, 0];
  let block: Readonly<Record<string, string>> = {};
  let person: string | undefined;
  let voice: string | undefined;
  let speaker = '';
  let open: Utterance | undefined;
  /** Whether it is an event outside of what is said. */
  let isAlone = false;
  const nameOf = (who: string | undefined) => {
    const ids = who?.split(/\s+/).map(idOf);
    return ids?.map((id) => people.get(id) ?? id).join(', ');
  };
  const at = (point: string | undefined) => times.get(idOf(point)) ?? parseClock(point);
  for (const piece of pieces) {
    if (piece.type === 'text') {
      if (header > 0) {
        const known = people.get(person ?? '') ?? '';
        if (person !== undefined && !named.has(person) && known.length < MAX_NAME_LENGTH)
          people.set(person, oneLine(`${known} ${piece.text}`));
      } else if (skipped === 0 && speaker === 'open') voice = oneLine(piece.text).replace(/\s*:$/, '') || voice;
      else if (skipped === 0 && open) open.text += piece.text;
      continue;
    }
    const { name, type } = piece;
    const step = type === 'start' ? 1 : -1;
    const attributes = type === 'start' ? piece.attributes : {};
    if (name === 'teiHeader') header += step;
    if (header > 0 && (name === 'person' || name === 'personGrp')) person = attributes['id'];
    // What else is said of a person is no part of a name.
    if (header > 0 && name === 'persName' && person !== undefined) {
      if (type === 'start' && !named.has(person)) people.delete(person);
      if (type === 'end') named.add(person);
    }
    if (header > 0) continue;
    if (name === 'choice') choice += step;
    if (name === 'annotationBlock') block = attributes;
    if (SKIPPED.has(name) || (choice > 0 && REPLACED.has(name))) skipped += step;
    if (skipped > 0) continue;
    if (name === 'sp') voice = type === 'start' ? nameOf(attributes['who']) : undefined;
    if (name === 'speaker') speaker = type === 'start' ? 'open' : '';
    const isEvent = EVENTS.has(name);
    if (isEvent && type === 'start' && !open) {
      open = { voice: undefined, text: '', start: at(attributes['start']), end: at(attributes['end']) };
      utterances.push(open);
      isAlone = true;
    }
    if (isEvent && open) open.text += type === 'start' ? ' [' : '] ';
    if (isEvent && type === 'end' && isAlone) [open, isAlone] = [undefined, false];
    if (open && type === 'start' && SPACES.has(name) && attributes['break'] !== 'no') open.text += ' ';
    const moment: number | undefined = name === 'anchor' && open && depth === 1 ? at(attributes['synch']) : undefined;
    if (open && moment !== undefined) {
      if (open.text.trim() === '') open.start = moment;
      else {
        open.end ??= moment;
        open = { voice: open.voice, text: '', start: moment };
        utterances.push(open);
      }
    }
    if (!BLOCKS.has(name)) continue;
    depth += step;
    if (type === 'start' && open) open.text += ' ';
    if (type === 'end' && depth === 0) open = undefined;
    if (type === 'end' || depth > 1) continue;
    const about = { ...block, ...attributes };
    open = { voice: nameOf(about['who']) ?? voice, text: '', start: at(about['start']), end: at(about['end']) };
    utterances.push(open);
  }
  return textOfUtterances(utterances.map((utterance) => ({ ...utterance, text: tidy(utterance.text) })));
}

const idOf = (reference = ''): string => reference.replace(/^#/, '');

/** Seconds in the units of a timeline. */
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, min: 60, mm: 60, h: 3600 };

/** Returns the seconds of the moments of a timeline, by their IDs. Each may refer to one before or after it. */
function readTimeline(pieces: readonly XmlPiece[]): Map<string, number> {
  const times = new Map<string, number>();
  const moments: Array<Readonly<Record<string, string>>> = [];
  let [unit, origin] = [1, ''];
  for (const piece of pieces) {
    if (piece.type !== 'start') continue;
    if (piece.name === 'timeline')
      [unit, origin] = [UNITS[piece.attributes['unit'] ?? ''] ?? 1, idOf(piece.attributes['origin'])];
    if (piece.name === 'when' && piece.attributes['id']) moments.push({ ...piece.attributes, unit: String(unit) });
  }
  const absolute = (moment: (typeof moments)[number] | undefined) => parseClock(moment?.['absolute']);
  const zero = absolute(moments.find(({ id }) => id === origin)) ?? 0;
  // In the order of the file, and then in reverse.
  for (const moment of [...moments, ...moments.toReversed()]) {
    const { id = '', interval, since = origin } = moment;
    const length = (parseClock(interval) ?? Number.NaN) * (/s$/.test(interval ?? '') ? 1 : Number(moment['unit']));
    const from = times.get(idOf(since)) ?? (since === '' || idOf(since) === origin ? 0 : Number.NaN);
    const isFirst = id === (origin || moments[0]?.['id']);
    const seconds = isFirst ? 0 : (absolute(moment) ?? Number.NaN) - zero;
    const known = [seconds, from + length].find((each) => !Number.isNaN(each));
    if (known !== undefined && !times.has(id)) times.set(id, known);
  }
  return times;
}

/** Returns a text on one line, without spaces before punctuation that is an element of its own. */
function tidy(text: string): string {
  return oneLine(text)
    .replace(/ ([.,;:?!)\]])/g, '$1')
    .replace(/\[ /g, '[')
    .replaceAll('[]', '')
    .trim();
}
