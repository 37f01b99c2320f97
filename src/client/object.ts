/** The script of a record's page: image viewer, captions and transcript for the player, copying of citations. */
import { copyButtons } from './copy.ts';
import { players } from './player.ts';
import { shapes } from './shapes.ts';
import { zoomable } from './zoom.ts';

zoomable();
players();
copyButtons();
shapes();
