/** The script of a record's page: image viewer, captions and transcript for the player, copying of citations. */
import { setUpCopyButtons } from './copy-buttons.ts';
import { setUpImageViewer } from './image-viewer.ts';
import { setUpListView } from './list-view.ts';
import { setUpPlayers } from './player.ts';

setUpImageViewer();
setUpPlayers();
setUpCopyButtons();
setUpListView();
