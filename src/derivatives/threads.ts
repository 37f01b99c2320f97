/** Makes room for as many pictures at once as there are cores. To be imported before anything else: the threads are counted when the first of them is used. */
import { availableParallelism } from 'node:os';

/** Pictures at once: one a core, and some that are ready when one is done. */
export const PICTURES_AT_ONCE = availableParallelism() + 2;

/** Threads that Node has for work outside of JavaScript, where nobody says otherwise. */
const USUAL = 4;

process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(USUAL, PICTURES_AT_ONCE + 2));
