/** Generates a snapshot in its own process, so that its memory can be measured. Arguments: directory, number of records. */
import { generateSnapshot } from './generate-snapshot.ts';

const [directory = '', records = ''] = process.argv.slice(2);
generateSnapshot(directory, Number(records));
