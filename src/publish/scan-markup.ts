/** Scans markup tag by tag, in linear time. It builds no tree, because hostile markup would make that slow. */
import { Tokenizer } from 'htmlparser2';

/** Names in lowercase, and values with entities decoded. */
export type Attributes = ReadonlyArray<readonly [name: string, value: string]>;

/** Called in the order of the markup. */
export interface MarkupHandlers {
  /** For each opening tag; `name` is in lowercase, without a prefix. */
  onTag(name: string, attributes: Attributes): void;
  /** For the entire text of a style or script element, with the attributes of its tag. */
  onRawText(name: 'style' | 'script', attributes: Attributes, text: string): void;
  /** For a processing instruction (`?…`) or declaration (`!…`), without its angle brackets. */
  onInstruction(text: string): void;
}

/** Scans a text. `foreign`: parses it as browsers parse the content of SVG and MathML. */
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

/** Returns a name without its prefix: `svg:script` is a script too. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();
