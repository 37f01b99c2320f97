/** The script of a record's page. */
import { setUpCitations } from './citations.ts';
import { setUpContentsBar } from './contents-bar.ts';
import { setUpContentsTable } from './contents-table.ts';
import { setUpCovers } from './covers.ts';
import { setUpDocumentViewer } from './document-viewer.ts';
import { setUpDownloadAll } from './download-all.ts';
import { setUpImageViewer } from './image-viewer.ts';
import { setUpListView } from './list-view.ts';
import { setUpPlayers } from './player.ts';
import { setUpRecordNavigation } from './record-navigation.ts';
import { setUpShareButtons } from './share.ts';

setUpCovers();
setUpImageViewer();
setUpDocumentViewer();
setUpCitations();
setUpPlayers();
setUpShareButtons();
setUpDownloadAll();
setUpListView();
setUpContentsBar();
setUpContentsTable();
setUpRecordNavigation();
