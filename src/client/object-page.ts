/** The script of a record's page. */
import { setUpContentsBar } from './contents-bar.ts';
import { setUpCopyButtons } from './copy-buttons.ts';
import { setUpDocumentViewer } from './document-viewer.ts';
import { setUpDownloadAll } from './download-all.ts';
import { setUpImageViewer } from './image-viewer.ts';
import { setUpListView } from './list-view.ts';
import { setUpPlayers } from './player.ts';
import { setUpRecordNavigation } from './record-navigation.ts';
import { setUpShareButtons } from './share.ts';

setUpImageViewer();
setUpDocumentViewer();
setUpPlayers();
setUpCopyButtons();
setUpShareButtons();
setUpDownloadAll();
setUpListView();
setUpContentsBar();
setUpRecordNavigation();
