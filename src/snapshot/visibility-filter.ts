/** Defines what a visible snapshot omits. The catalogue decides it; this layer's readers apply it, so no caller bypasses it. */
import type { ResourceKind } from '../model/resources.ts';

/** Decides what the readers of a snapshot leave out. */
export interface VisibilityFilter {
  /** Whether what is shown of a resource may depend on other resources than itself. */
  readsOthers: boolean;
  /** Returns whether a resource is withheld: a record with its lists, an author, a guide page or a source. */
  hides(kind: ResourceKind, name: string): boolean;
  /** Returns whether a resource may need redaction, judging by its text. If false, parsing it is not necessary. */
  mayConcern(kind: ResourceKind, name: string, text: string): boolean;
  /** Returns a payload without its withheld contents; the same object if nothing in it is withheld. */
  redact(kind: ResourceKind, name: string, payload: unknown): unknown;
  /** Returns whether a media file is withheld. */
  hidesMedia(row: { url: string; owner: string }): boolean;
  /** Returns the text of a file without the names of withheld persons. Undefined if no person is withheld. */
  redactText?: (text: string) => string;
}
