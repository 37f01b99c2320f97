/** Values as part of an address. */
import { parseValue } from '../browser/preferences.ts';

/** Characters. Longer texts are not of this program: a full list takes less. */
const MAX_LENGTH = 1_000_000;

/** Returns a value as text for the fragment of an address. */
export function encodeValue(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the value in a text that `encodeValue` made; undefined for any other text. */
export function decodeValue(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return parseValue(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // not base64
  }
}
