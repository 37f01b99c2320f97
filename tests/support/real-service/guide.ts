/** The invented archive's guide: pages as MediaWiki writes them, with the parts that the service moves into fields. */

type Fields = Record<string, unknown>;

/** Authors, pages and sources of the guide. */
export interface Guide {
  /** Authors by name. */
  authors: Map<string, { body: string; articles: string[] }>;
  /** Guide pages by title. */
  articles: Map<string, Fields>;
  /** Sources by ID. */
  sources: Map<string, Fields>;
}

/** Site of the guide, which pages link to. The API has another host. */
export const GUIDE_SITE = 'https://pages.kelp.example';
/** Pages of the guide's site that an author has written and that the API does not serve. */
export const UNSERVED_ARTICLES = ['Salt Pans', 'Rope Walks', 'Net Lofts', 'Ice Houses', 'Tide Mills', 'Pilot Boats'];
/** Records that only one link names. Their organizations have no record. */
export const LINKED_ONLY = { fromOtherText: 'kelp-pier-1-1', fromOldAddress: 'kelp-quay-3-7', fromCollectionLink: 'kelp-rock-2' };

/** Creates the guide. `url`: base URL of the service, for links in texts. */
export function createGuide(url: string): Guide {
  const bells = { ...ARTICLE, body: '<div class="mw-parser-output"><p>Bells ring in fog.</p></div>', authors: ['Mara Quill'] };
  return {
    authors: new Map([
      ['Mara Quill', { body: '', articles: ['Lantern Cove', 'Signals/Bells', ...UNSERVED_ARTICLES] }],
      ['Ivo Strand', { body: '<p>A keeper of clocks.</p>', articles: ['The Long Watch (1931)'] }],
    ]),
    articles: new Map([
      ['Lantern Cove', lanternCove(url)],
      ['Signals/Bells', bells],
      ['The Long Watch (1931)', { ...longWatch(url), authors: ['Ivo Strand'] }],
    ]),
    sources: createSources(url),
  };
}

const ARTICLE = { description: 'A page of the guide.', categories: ['Places'], modified: '2019-06-22T19:02:00' };
const page = (title: string) => `${GUIDE_SITE}/${title.replaceAll(' ', '_')}/`;
const section = (id: string, heading: string, html: string) =>
  `<div class="section" id="${id}">\n <h2>\n  <span class="mw-headline" id="${id}">\n   ${heading}\n  </span>\n </h2>\n <div class="section_content">\n  ${html}\n </div>\n</div>`;

/** A page with all separate HTML fields, hidden markup, a databox and facts of the guide. */
function lanternCove(url: string): Fields {
  return {
    ...ARTICLE,
    description: 'The cove lies east of the bells , near Salt Bay.',
    authors: ['Mara Quill'],
    coordinates: [-102.3, 38.05],
    databoxes: {},
    rg_rgmediatype: ['exhibits'],
    rg_readinglevel: ['Grades 7-8'],
    mediatype_places: 'yes',
    source_ids: [...SOURCE_OBJECTS.keys()],
    body: `<div class="mw-parser-output">
 <div id="databox-Places" style="display:none;">
  <p>
   PlaceUID:k-lant;
ShownName:Lantern Cove (Outer Isle);
Type:
   <a class="encyc notrg" href="${page('Sites of light')}">
    Lighthouse
   </a>
   ;
DateOpened:May 3, 1911;
PeakStaff:17;
FinalUse:;
  </p>
 </div>
 <div hidden>
  Editors only: check the year.
 </div>
 <div aria-hidden="true" id="databox-Draft">
  DraftUID:k-draft;
 </div>
 <p>
  The cove lies east of
  <a class="encyc rg" href="${page('Signals/Bells')}" title="Signals/Bells">
   the bells
  </a>
  , near Salt Bay.
 </p>
 <p>
  Keepers drew it on
  <a href="${url}/${LINKED_ONLY.fromCollectionLink}/">
   sheets
  </a>
  .
  <sup class="reference" id="cite_ref-note_ref1_1-0">
   <a class="" href="#cite_note-note_ref1-1">
    [1]
   </a>
  </sup>
 </p>
 <div id="citationAuthor" style="display:none;">
  Quill-Hidden, Mara
 </div>
</div>`,
    moreinfo: section(
      'For_More_Information',
      'For More Information',
      `<p>Read <a href="${url}/${LINKED_ONLY.fromOtherText}/">the almanac</a>.</p>`,
    ),
    footnotes: section(
      'Footnotes',
      'Footnotes',
      `<ol class="references"><li id="cite_note-note_ref1-1"><span class="mw-cite-backlink"><a href="#cite_ref-note_ref1_1-0">↑</a></span> <span class="reference-text">Almanac of 1911, 61.</span></li></ol>`,
    ),
    reviews: section('Reviews', 'Reviews', '<p>The best page on lamps.</p>'),
    related: section('Related', 'Related articles', `<p>See <a href="${page('The Long Watch (1931)')}">the watch</a>.</p>`),
    findatia: section('Find', 'Find in the Digital Library', '<p>Borrow the almanac.</p>'),
  };
}

/** A page with its databox as a field, too. */
function longWatch(url: string): Fields {
  return {
    ...ARTICLE,
    databoxes: { 'databox-Books': { Title: 'The Long Watch', Publisher: 'Gull Press' } },
    body: `<div class="mw-parser-output"><p>A novel of one night. <a href="${url}/kelp-cove-1-2/">A view</a>.</p></div>`,
    source_ids: ['en-kelppd-i9-00001-1'],
  };
}

/** The field `densho_id` of each source: an ID of the repository, or something else. */
const SOURCE_OBJECTS = new Map([
  ['en-kelp-cove-1-1-1', 'kelp-cove-1-1'],
  ['en-kelp-empty-1', ''],
  ['en-kelp-plain-1', 'kelp'],
  ['en-kelppd-i37-00239-1', 'kelppd-i37-00239'],
  ['en-kelpvh-arook-01-0017-1', 'kelpvh-arook-01-0017'],
  ['en-log_24-ark-1', 'log_24-ark-1'],
  ['en-en-kelp-ivo-1-1', 'en-kelp-ivo-1-1'],
]);

function createSources(url: string): Map<string, Fields> {
  const sources = [...SOURCE_OBJECTS].map(([id, densho_id], n): [string, Fields] => [
    id,
    {
      densho_id,
      headword: 'Lantern Cove',
      caption: `Caption ${n + 1} of the cove`,
      caption_extended: '',
      courtesy: `Courtesy of lender ${n + 1}`,
      media_format: n === 4 ? 'video' : 'image',
      img_path: `guide/${id}.jpg`,
      streaming_url: n === 4 ? 'kelpstream/guide/rook.mp4' : null,
      institution_id: n === 0 ? 'Cove Museum of Lamps' : null,
      collection_name: n === 0 ? 'The Chandler Collection' : null,
      external_url: n === 1 ? `${url}/kelp/quay/3/7/` : null,
    },
  ]);
  const other = {
    densho_id: 'kelp-cove-1-2',
    headword: 'The Long Watch (1931)',
    caption: 'A view',
    media_format: 'image',
    img_path: 'guide/view.jpg',
  };
  return new Map([...sources, ['en-kelppd-i9-00001-1', other]]);
}
