/** Reads markup tag by tag, in time that grows with its length alone: no tree is built, since hostile markup makes that slow. */
import { Tokenizer } from 'htmlparser2';

/** Names in lower case, and values with entities resolved. */
export type Attributes = ReadonlyArray<readonly [name: string, value: string]>;

export interface MarkupHandlers {
  onTag(name: string, attributes: Attributes): void;
  /** All text of a style or script element, with the attributes of its tag. */
  onRawText(name: 'style' | 'script', attributes: Attributes, text: string): void;
  /** `?…` or `!…`: a processing instruction or declaration, without its angle brackets. */
  onInstruction(text: string): void;
}

/** `foreign`: as browsers read what is inside SVG and MathML. */
export function scanMarkup(markup: string, { xml, foreign }: { xml: boolean; foreign: boolean }, handlers: MarkupHandlers): void {
  let tag = '';
  let attributes: Array<[string, string]> = [];
  let attribute = '';
  let value: string[] = [];
  let raw: { name: 'style' | 'script'; attributes: Attributes; text: string[] } | undefined;
  const endRaw = () => {
    if (raw) handlers.onRawText(raw.name, raw.attributes, raw.text.join(''));
    raw = undefined;
  };
  const endTag = (closed: boolean) => {
    handlers.onTag(tag, attributes);
    if ((tag === 'style' || tag === 'script') && !closed) {
      endRaw();
      raw = { name: tag, attributes, text: [] };
    }
  };
  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: true, recognizeSelfClosing: xml },
    {
      onopentagname(start, end) {
        tag = localName(markup.slice(start, end));
        attributes = [];
      },
      onattribname(start, end) {
        attribute = markup.slice(start, end).toLowerCase();
        value = [];
      },
      onattribdata: (start, end) => void value.push(markup.slice(start, end)),
      onattribentity: (codepoint) => void value.push(String.fromCodePoint(codepoint)),
      onattribend: () => void attributes.push([attribute, value.join('')]),
      onopentagend: () => endTag(false),
      onselfclosingtag: () => endTag(xml || foreign),
      onclosetag(start, end) {
        if (raw?.name === localName(markup.slice(start, end))) endRaw();
      },
      ontext: (start, end) => void raw?.text.push(markup.slice(start, end)),
      ontextentity: (codepoint) => void raw?.text.push(String.fromCodePoint(codepoint)),
      oncdata: (start, end, offset) => void raw?.text.push(markup.slice(start, end - offset)),
      oncomment() {},
      ondeclaration: (start, end) => handlers.onInstruction(`!${markup.slice(start, end)}`),
      onprocessinginstruction: (start, end) => handlers.onInstruction(`?${markup.slice(start, end)}`),
      onend: endRaw,
      isInForeignContext: () => foreign,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}

/** `svg:script` is a script too. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}
