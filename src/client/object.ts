/** What an object's page does beyond plain HTML: pictures to look into, captions and a transcript that follow the player, citations for the clipboard. */
import { copyButtons } from './copy.ts';
import { players } from './player.ts';
import { shapes } from './shapes.ts';
import { zoomable } from './zoom.ts';

zoomable();
players();
copyButtons();
shapes();
