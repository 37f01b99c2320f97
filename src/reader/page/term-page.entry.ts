/** The script of the page of a topic, place or facility with voices. */
import { setUpVoices } from '../player/voices.ts';

setUpVoices();
