/** What may be read of a snapshot by whoever shows it to others. The catalogue decides; the readers of this room apply it, so that nothing goes round it. */
import type { ResourceKind } from '../model/resources.ts';

export interface VisibilityFilter {
  /** Whether a resource is left out: a record with its lists, an author, a guide page, a source. */
  hides(kind: ResourceKind, name: string): boolean;
  /** Whether something in a resource may have to be taken out, as far as its text tells: that saves reading it. */
  mayConcern(kind: ResourceKind, name: string, text: string): boolean;
  /** A payload without what is withheld in it; the same object where nothing is. */
  redact(kind: ResourceKind, name: string, payload: unknown): unknown;
  /** Whether a media file is left out. */
  hidesMedia(row: { url: string; owner: string }): boolean;
  /** The words of a file without what is withheld in them; absent where no words are. */
  redactText?: (text: string) => string;
}
