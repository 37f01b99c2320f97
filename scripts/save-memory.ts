/** Settings of V8 for commands that read every record once. */
import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage early. Records are short-lived, but V8 lets the heap of the catalogue of 20,000 records grow to three
 * times its size: 470 MB instead of 250 MB. It costs half as much time again to read the catalogue.
 */
export function saveMemory(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
