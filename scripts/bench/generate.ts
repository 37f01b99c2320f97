/** Generates a snapshot in a process of its own, so that its memory can be measured. Arguments: directory, and number of records. */
import { generateSnapshot } from './generate-snapshot.ts';

const [directory = '', records = ''] = process.argv.slice(2);
generateSnapshot(directory, Number(records));
