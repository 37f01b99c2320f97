/** Reads parts of addresses. */

/** Returns a part of an address as text; as it is if it is malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that begins no escape
  }
}
