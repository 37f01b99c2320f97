/** Escapes text for XML. */

/** Returns text for an element or a quoted attribute. Characters that XML does not allow must be removed too (`stripIllegible`). */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
