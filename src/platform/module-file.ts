/** Finds the files of the program: TypeScript in a checkout, JavaScript in the npm package. */
import { extname, join } from 'node:path';

/** The directory of the program. */
export const PROGRAM = join(import.meta.dirname, '../..');

/** Returns the file of a module by its path below `src` without an extension, such as `reader/map/place-map.entry`. */
export const moduleFile = (path: string): string => join(PROGRAM, 'src', `${path}${extname(import.meta.filename)}`);
