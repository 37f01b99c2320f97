/** Reads PAGE XML, as Transkribus and eScriptorium write it (https://github.com/PRImA-Research-Lab/PAGE-XML), as ALTO. */
import { readAltoPieces } from './alto.ts';
import type { TranscriptText } from './transcript-text.ts';
import { readXml, type XmlPiece } from './xml-pieces.ts';

/** A region, line or word: its own text, that of its parts, and its outline. */
interface Part {
  name: string;
  id: string;
  text?: string;
  points: string;
  parts: Part[];
}
const LEVELS = ['Page', 'TextRegion', 'TextLine', 'Word'];

/** Returns the text of a PAGE document in its reading order, with the places of its words, or else of their lines. */
export function readPageXml(xml: string): TranscriptText {
  const pieces: XmlPiece[] = [];
  const order = new Map<string, number>();
  let open: Part[] = [];
  let spelled: string | undefined;
  for (const piece of readXml(xml)) {
    const owner = open.at(-1);
    if (piece.type === 'text') {
      if (spelled !== undefined) spelled += piece.text;
    } else if (piece.type === 'end') {
      if (piece.name === 'Unicode' && owner) owner.text ??= spelled ?? '';
      if (piece.name === 'Unicode') spelled = undefined;
      if (piece.name === owner?.name) open.pop();
      if (piece.name === 'Page') pieces.push(...(owner?.parts ?? []).sort(byOrder).flatMap(toAlto), piece);
    } else if (LEVELS.includes(piece.name)) {
      const { id = '', imageWidth = '', imageHeight = '' } = piece.attributes;
      const part: Part = { name: piece.name, id, points: '', parts: [] };
      owner?.parts.push(part);
      open = piece.name === 'Page' ? [part] : [...open, part];
      if (piece.name === 'Page')
        pieces.push({ type: 'start', name: 'Page', attributes: { WIDTH: imageWidth, HEIGHT: imageHeight } });
    } else if (piece.name === 'RegionRefIndexed') order.set(piece.attributes['regionRef'] ?? '', order.size);
    else if (piece.name === 'Coords' && owner) owner.points = piece.attributes['points'] ?? '';
    else if (piece.name === 'Point' && owner) owner.points += ` ${piece.attributes['x']},${piece.attributes['y']}`;
    else if (piece.name === 'Unicode') spelled = '';
  }
  return readAltoPieces(pieces);

  function byOrder(a: Part, b: Part) {
    return (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size);
  }
}

/** Returns a part as elements of ALTO. What has words, lines or regions with text has no text of its own. */
function toAlto({ name, text = '', points, parts }: Part): XmlPiece[] {
  const within = parts.flatMap(toAlto);
  const [xs, ys] = [/(-?\d+),/g, /,(-?\d+)/g].map((side) => Array.from(points.matchAll(side), ([, at]) => Number(at)));
  const [left, top] = [xs, ys].map((all = []) => all.reduce((min, at) => Math.min(min, at), Number.POSITIVE_INFINITY));
  const [right = 0, bottom = 0] = [xs, ys].map((all = []) => all.reduce((max, at) => Math.max(max, at), 0));
  const box = { HPOS: `${left}`, VPOS: `${top}`, WIDTH: `${right - (left ?? 0)}`, HEIGHT: `${bottom - (top ?? 0)}` };
  const wrap = (of: string, inner: XmlPiece[]): XmlPiece[] => [
    { type: 'start', name: of, attributes: {} },
    ...inner,
    { type: 'end', name: of },
  ];
  const words = text.split(/\s+/).flatMap((word): XmlPiece[] =>
    word === ''
      ? []
      : [
          { type: 'start', name: 'String', attributes: { CONTENT: word, ...box } },
          { type: 'end', name: 'String' },
        ],
  );
  if (name === 'Word') return words;
  const inner = within.length > 0 ? within : words;
  return inner.length === 0 ? [] : wrap(name === 'TextLine' ? name : 'TextBlock', inner);
}
