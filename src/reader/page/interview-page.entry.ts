/** The script of the page of an entire interview. */
import { setUpCitations } from '../parts/citations.ts';
import { setUpCovers } from '../parts/covers.ts';
import { setUpShareButtons } from '../parts/share.ts';
import { setUpInterview } from '../player/interview.ts';
import { setUpMoments } from '../saved/save-moments.ts';

setUpCovers();
setUpCitations();
setUpShareButtons();
setUpInterview();
setUpMoments();
