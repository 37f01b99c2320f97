/** The script of the page of an entire interview. */
import { setUpCitations } from '../parts/citations.ts';
import { setUpCovers } from '../parts/covers.ts';
import { setUpShareButtons } from '../parts/share.ts';
import { setUpInterview } from '../player/interview.ts';

setUpCovers();
setUpCitations();
setUpShareButtons();
setUpInterview();
