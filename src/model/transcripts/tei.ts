/** Reads transcriptions in TEI: `u` (spoken texts, chapter 8 of the TEI Guidelines), `sp` (as in drama), and plain paragraphs. */
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** Elements that are one paragraph, if they are not within another one. */
const BLOCKS: ReadonlySet<string> = new Set(['u', 'p', 'ab', 'l', 'head', 'item', 'stage']);
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
  const times = new Map<string, number>();
  const utterances: Utterance[] = [];
  let [header, skipped, depth, choice] = [0, 0, 0, 0];
  let block: Readonly<Record<string, string>> = {};
  let person: string | undefined;
  let voice: string | undefined;
  let speaker = '';
  let open: Utterance | undefined;
  const nameOf = (who: string | undefined) => who && (people.get(who.replace(/^#/, '')) ?? who.replace(/^#/, ''));
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
    if (name === 'when' && attributes['id'] !== undefined) {
      const since = times.get((attributes['since'] ?? '').replace(/^#/, '')) ?? 0;
      const seconds = parseClock(attributes['absolute']) ?? since + (parseClock(attributes['interval']) ?? Number.NaN);
      times.set(attributes['id'], Number.isNaN(seconds) && times.size === 0 ? 0 : seconds);
    }
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
    if (EVENTS.has(name) && open) open.text += type === 'start' ? ' [' : '] ';
    if (name === 'lb' || name === 'pb' || name === 'w') if (open && type === 'start') open.text += ' ';
    if (!BLOCKS.has(name)) continue;
    depth += step;
    if (type === 'end' && depth === 0) open = undefined;
    if (type === 'end' || depth > 1) continue;
    const at = (point: string | undefined) => times.get((point ?? '').replace(/^#/, '')) ?? parseClock(point);
    const about = { ...block, ...attributes };
    open = { voice: nameOf(about['who']) ?? voice, text: '', start: at(about['start']), end: at(about['end']) };
    utterances.push(open);
  }
  return textOfUtterances(utterances.map((utterance) => ({ ...utterance, text: tidy(utterance.text) })));
}

/** Returns a text on one line, without spaces before punctuation that is an element of its own. */
function tidy(text: string): string {
  return oneLine(text)
    .replace(/ ([.,;:?!)\]])/g, '$1')
    .replace(/\[ /g, '[')
    .replaceAll('[]', '')
    .trim();
}
