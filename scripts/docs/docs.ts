/** `npm run docs`: writes the documents that are made from the program itself. */
import { writeFileSync } from 'node:fs';
import { CLI_REFERENCE, cliReference } from './cli.ts';
import { DATES_REFERENCE, datesReference } from './dates.ts';
import { LICENSES, licensesText } from './licenses.ts';
import { MEDIA, mediaText } from './media.ts';
import { ARCHITECTURE, architectureText } from './rooms.ts';

writeFileSync(CLI_REFERENCE, cliReference());
writeFileSync(DATES_REFERENCE, datesReference());
writeFileSync(LICENSES, licensesText());
writeFileSync(ARCHITECTURE, architectureText());
writeFileSync(MEDIA, mediaText());
