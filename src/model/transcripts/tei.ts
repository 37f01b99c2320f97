/** Reads transcriptions in TEI: `u` (spoken texts, chapter 8 of the TEI Guidelines), `sp` (as in drama), and plain paragraphs. */
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml, type XmlPiece } from './xml-pieces.ts';

const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Elements that are one paragraph, if they are not within another one. */
const BLOCKS = namesOf(
  'u p ab l head item stage said quote row label opener closer dateline salute signed byline trailer titlePart addrLine',
);
/** Elements between words, or around them. */
const SPACES = namesOf('lb pb cb w seg cell pause anchor');
/** Elements of the text that are not part of what is said. */
const SKIPPED = namesOf('teiHeader note fw timeline standOff facsimile spanGrp');
/** What a `choice` also says: the form that was corrected, made regular or expanded. */
const REPLACED = namesOf('sic orig abbr');
/** What happens while a person speaks, or in between, such as laughter: in brackets. */
const EVENTS = namesOf('vocal kinesic incident');

/** Returns the text of a TEI document, with times if its utterances point to the document's timeline. */
export function readTei(xml: string): TranscriptText {
  const pieces = readXml(xml);
  const [people, times] = [readPeople(pieces), readTimeline(pieces)];
  const utterances: Utterance[] = [];
  let [skipped, depth, choice] = [0, 0, 0];
  let block: Readonly<Record<string, string>> = {};
  let voice: string | undefined;
  let isSpeaker = false;
  let open: Utterance | undefined;
  const nameOf = (who: string | undefined) => {
    const ids = who?.split(/\s+/).map(idOf);
    return ids?.map((id) => people.get(id) ?? id).join(', ');
  };
  const at = (point: string | undefined) => times.get(idOf(point)) ?? parseClock(point);
  const begin = (start: number | undefined, end?: number, speaker = voice) => {
    open = { voice: speaker, text: '', start, end };
    utterances.push(open);
  };
  const addSpace = (name: string, { break: isBroken, synch }: Readonly<Record<string, string>>) => {
    if (!open) return;
    if (BLOCKS.has(name) || (SPACES.has(name) && isBroken !== 'no')) open.text += ' ';
    const moment = name === 'anchor' && depth === 1 ? at(synch) : undefined;
    if (moment === undefined) return;
    if (open.text.trim() === '') open.start = moment;
    else {
      open.end ??= moment;
      begin(moment, undefined, open.voice);
    }
  };
  for (const piece of pieces) {
    if (piece.type === 'text') {
      if (skipped > 0) continue;
      if (isSpeaker) voice = oneLine(piece.text).replace(/\s*:$/, '') || voice;
      else if (open) open.text += piece.text;
      continue;
    }
    const { name, type } = piece;
    const isStart = type === 'start';
    const step = isStart ? 1 : -1;
    const attributes = isStart ? piece.attributes : {};
    if (name === 'choice') choice += step;
    if (name === 'annotationBlock') block = attributes;
    if (SKIPPED.has(name) || (choice > 0 && REPLACED.has(name))) skipped += step;
    if (skipped > 0) continue;
    if (name === 'sp') voice = nameOf(attributes['who']);
    if (name === 'speaker') isSpeaker = isStart;
    if (isStart) addSpace(name, attributes);
    if (EVENTS.has(name)) {
      if (!open) begin(at(attributes['start']), at(attributes['end']));
      if (open) open.text += isStart ? ' [' : '] ';
      if (!isStart && depth === 0) open = undefined;
    }
    if (!BLOCKS.has(name)) continue;
    depth += step;
    const about = { ...block, ...attributes };
    if (isStart && depth === 1) begin(at(about['start']), at(about['end']), nameOf(about['who']) ?? voice);
    if (!isStart && depth === 0) open = undefined;
  }
  return textOfUtterances(utterances.map((utterance) => ({ ...utterance, text: tidy(utterance.text) })));
}

const idOf = (reference = ''): string => reference.replace(/^#/, '');

/** What is longer is no name. */
const MAX_NAME_LENGTH = 200;

/** Returns the names of persons in the header by their IDs: what is said of each, if none has an element of its own. */
function readPeople(pieces: readonly XmlPiece[]): Map<string, string> {
  const people = new Map<string, string>();
  const named = new Set<string>();
  let person = '';
  for (const piece of pieces) {
    const known = people.get(person) ?? '';
    if (piece.type === 'end' && piece.name === 'teiHeader') break;
    if (piece.type === 'text') {
      if (person === '' || named.has(person) || known.length >= MAX_NAME_LENGTH) continue;
      people.set(person, oneLine(`${known} ${piece.text}`));
    } else if (piece.type === 'start' && /^person(?:Grp)?$/.test(piece.name)) person = piece.attributes['id'] ?? '';
    else if (piece.name === 'persName' && piece.type === 'end') named.add(person);
    else if (piece.name === 'persName' && !named.has(person)) people.delete(person);
  }
  return people;
}

/** Seconds in the units of a timeline. */
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, min: 60, h: 3600 };

/** Returns the seconds of the moments of a timeline, by their IDs. Each may refer to one before or after it. */
function readTimeline(pieces: readonly XmlPiece[]): Map<string, number> {
  const starts = pieces.filter((piece) => piece.type === 'start');
  const { unit = '', origin } = starts.find(({ name }) => name === 'timeline')?.attributes ?? {};
  const moments = starts.flatMap(({ name, attributes }) => (name === 'when' ? [attributes] : []));
  const first = moments.find(({ id }) => id === idOf(origin)) ?? moments[0];
  const zero = (origin && parseClock(first?.['absolute'])) || 0;
  const times = new Map<string, number>();
  if (first?.['id']) times.set(first['id'], origin ? 0 : (parseClock(first['absolute']) ?? 0));
  // In the order of the file, and then in reverse.
  for (const { id = '', since = first?.['id'], absolute, interval = '' } of [...moments, ...moments.toReversed()]) {
    const length = (parseClock(interval) ?? Number.NaN) * (/s$/.test(interval) ? 1 : (UNITS[unit] ?? 1));
    const seconds = (parseClock(absolute) ?? Number.NaN) - zero || (times.get(idOf(since)) ?? Number.NaN) + length;
    if (!times.has(id) && !Number.isNaN(seconds)) times.set(id, seconds);
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
