/** Finds the name that a user may have meant. */
import { editDistance } from './edit-distance.ts';

const MAX_LENGTH = 60;

/** Returns the most similar of the known names, regardless of case, hyphens and underscores; undefined if none is similar. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/[-_ ]/g, '').toLowerCase().slice(0, MAX_LENGTH);
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: editDistance(plain(name), plain(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}
