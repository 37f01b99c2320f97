/** Writes XML: escaped text, and elements of parts that are XML already. */
import { toLegible } from './legible.ts';

/** Attributes of an element: text by name. Those that are undefined are left out. */
export type XmlAttributes = Readonly<Record<string, string | undefined>>;

/** Returns text for an element or quoted attribute. Characters that XML does not allow must be removed too (`stripIllegible`). */
export const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns untrusted text for an element or a quoted attribute, without characters that XML does not allow. */
export const toXmlText = (text: string): string => escapeXml(toLegible(text));

/** Returns the start tag of an element. The values of attributes are untrusted text. */
export const startTag = (name: string, attributes: XmlAttributes = {}): string => `<${name}${formatAttributes(attributes)}>`;

/** Returns an element. The values of attributes are untrusted text; `content` must be XML already. */
export function xmlElement(name: string, attributes: XmlAttributes, content = ''): string {
  return content === '' ? `<${name}${formatAttributes(attributes)}/>` : `${startTag(name, attributes)}${content}</${name}>`;
}

function formatAttributes(attributes: XmlAttributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${toXmlText(value)}"`))
    .join('');
}
