/** Every word of the interface in English, and by its shape what a dictionary has to hold. */

const count = new Intl.NumberFormat('en');
/** `1 item`, `1,200 items` */
const items = (n: number, one: string, many: string) => `${count.format(n)} ${n === 1 ? one : many}`;

export const en = {
  /** The language’s name for itself. */
  name: 'English',

  frame: {
    skip: 'Skip to the content',
    main: 'Main',
    search: 'Search',
    searchArchive: 'Search the archive',
    searchFor: 'Titles, people, places, words',
    languages: 'Language',
    theme: 'Light or dark',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    /** Around the address of the living archive. */
    stillCopyOf: ['A still copy of ', '.'],
    feed: 'Records that changed last',
    aboutLink: 'When it was taken, and what it lacks',
    breadcrumbs: 'Breadcrumbs',
    pages: 'Pages of this list',
    page: (n: number) => `Page ${n}`,
    titleOfPage: (title: string, n: number) => `${title}, page ${n}`,
    previous: 'Previous',
    next: 'Next',
    neighbours: 'Neighbours',
    letters: 'Jump to a letter',
    otherLetters: 'Other',
    elsewhere: 'leads out of this copy',
  },

  sections: {
    home: 'Home',
    collections: 'Collections',
    browse: 'Browse',
    guide: 'Guide',
    authors: 'Authors',
    about: 'About',
    search: 'Search',
  },

  home: {
    description: (archive: string) => `A still copy of ${archive}`,
    fromTheArchive: 'From the archive',
    searchMore: 'Search with filters, dates and sorting',
    tally: {
      collection: (n: number) => (n === 1 ? 'collection' : 'collections'),
      entity: (n: number) => (n === 1 ? 'object' : 'objects'),
      segment: (n: number) => (n === 1 ? 'interview segment' : 'interview segments'),
      file: (n: number) => (n === 1 ? 'file' : 'files'),
      article: (n: number) => (n === 1 ? 'guide page' : 'guide pages'),
      author: (n: number) => (n === 1 ? 'author' : 'authors'),
    },
  },

  lists: {
    collections: (n: number) => `The ${items(n, 'collection', 'collections')} of this archive`,
    authors: (n: number) => `The ${items(n, 'author', 'authors')} of the guide, from A to Z`,
    guide: (n: number) => `The ${items(n, 'page', 'pages')} of the guide`,
    browse: 'Browse the archive by topic, place, time, genre and more',
    facet: (facet: string) => `${facet} in this archive`,
    term: (facet: string, value: string, n: number) => `${facet}: ${value}, ${count.format(n)} in this archive`,
    items: (n: number) => items(n, 'item', 'items'),
    all: (n: number) => `All ${count.format(n)}`,
    mostFrequent: 'Most frequent',
    showAs: 'Show as',
    gallery: 'Pictures',
    list: 'List',
  },

  facets: {
    topic: ['Topics', 'Topic'],
    facility: ['Facilities', 'Facility'],
    place: ['Places', 'Place'],
    time: ['Time', 'Time'],
    genre: ['Genres', 'Genre'],
    format: ['Formats', 'Format'],
    language: ['Languages', 'Language'],
    creator: ['Creators', 'Creator'],
    person: ['People', 'Person'],
    contributor: ['Contributors', 'Contributor'],
    rights: ['Rights', 'Rights'],
  },
  undated: 'Without a date that can be read',
  decade: (year: number) => `${year}s`,

  map: {
    title: 'Map of the places',
    spot: (places: number, label: string, n: number) =>
      places === 1 ? `${label}: ${items(n, 'item', 'items')}` : `${label} and ${items(places - 1, 'place', 'places')} near it`,
    near: (label: string) => `At ${label} and near it`,
    more: (n: number) => `${items(n, 'more place', 'more places')} in the list above.`,
    source: 'Outlines: Natural Earth, in the public domain.',
  },

  zoom: {
    title: 'The picture, close up',
    open: 'Look closer',
    in: 'Closer',
    out: 'Further away',
    whole: 'Whole picture',
    previous: 'Previous picture',
    next: 'Next picture',
    close: 'Close',
    keys: 'Keys: + and − go closer and further away, arrows move, 0 shows it whole, Esc closes.',
  },

  object: {
    leaves: 'Pages',
    leaf: (n: number, title: string) => `Page ${n}: ${title}`,
    download: 'Download',
    fixity: (sum: string) => `SHA-256 of this copy: ${sum}.`,
    proven: (names: string) => `When it was received, it agreed with the archive’s ${names}.`,
    tree: 'Contents as a tree',
    treeOf: (title: string) => `Contents of ${title}`,
    more: (n: number) => `and ${count.format(n)} more`,
    siblings: 'Files that belong with it',
    interviews: 'Other interviews with the same narrator',
    copy: 'Copy',
    copied: 'Copied',
    contents: {
      collection: 'In this collection',
      entity: 'Segments and parts',
      organization: 'Collections',
      repository: 'Organizations',
      other: 'Parts',
    },
    files: 'Files',
    inTheGuide: 'In the guide',
    related: 'Related',
    cite: 'Cite this',
    preferred: 'As the archive asks',
    json: 'The record as JSON',
    receivedOn: (date: string) => `This copy of the record was taken on ${date}.`,
    livePage: 'The page in the living archive',
    pictureOf: (kind: string, title: string) => `${kind}: ${title}`,
    photograph: 'Photograph',
    gone: (date: string) =>
      `The living archive no longer has this: it was found gone on ${date}. What you see is the last copy that was taken.`,
    fromBreadcrumbs: 'The archive did not hand out this record. This page is made from what other records say of it.',
    fromList: 'The full record could not be had. This page is made from its line in the archive’s list.',
    inProcess: 'The archive was still working on this record when the copy was taken.',
    streamOnly: 'This recording may only be played from its own host, so it is not part of this copy.',
  },

  recording: {
    title: 'The recording’s files',
    player: (title: string) => `Recording: ${title}`,
    captions: 'Captions',
    segments: 'Segments',
    inAll: (length: string) => `${length} in all`,
    playAll: 'Play the interview',
    playOn: 'Go on to the next segment by itself',
    notHere: 'not in this copy',
    length: (length: string) => `Length ${length}`,
    unplayable:
      'The recording is in this copy, in a form that browsers do not play: keep the file and open it with another program.',
    transcript: 'Transcript',
    glossary: 'Glossary',
    cut: 'This is its beginning.',
    textNotHere: 'The text itself is not in this copy.',
    textRecord: 'The file’s record',
    none: 'The archive names no recording of this segment.',
    absent: 'The recording is not in this copy: it stays in the living archive, which keeps the files named below.',
    empty: 'The recording in the living archive is an empty file: there is nothing to play.',
    original: 'Original file',
    mimetype: 'Media type',
    identifier: 'Identifier',
    externalId: 'Identifier on another host',
    live: 'In the living archive',
    changed: (date: string) => `changed ${date}`,
    madeFrom: (file: string) => `made from ${file}`,
  },

  guide: {
    author: 'Author',
    page: 'Guide page',
    pages: 'Guide pages',
    by: 'By',
    sources: 'Sources',
    records: 'From the archive',
    categories: (list: string) => `Categories: ${list}.`,
    topics: (list: string) => `Topics: ${list}.`,
    pageChanged: (date: string) => `Last changed ${date}.`,
    live: 'The page in the living guide',
    changed: (date: string) => `Entry last changed ${date}.`,
    describesAuthor: (name: string) => `${name}, author`,
  },

  about: {
    title: 'About this copy',
    description: (archive: string) => `What this copy of ${archive} holds, when it was taken, and what it lacks`,
    /** Around the archive’s name and the addresses that it was taken from. */
    copyOf: ['This is a still copy of ', ', taken from ', '.'],
    and: ' and ',
    takenOn: (date: string) => `It was taken on ${date}.`,
    cutShort: 'The last harvest was cut short, so more may be missing than is named here.',
    offline: 'Nothing on these pages is loaded from the network.',
    holds: 'What it holds',
    models: {
      repository: 'Repositories',
      organization: 'Organizations',
      collection: 'Collections',
      entity: 'Objects',
      segment: 'Interview segments',
      file: 'Files',
      article: 'Guide pages',
      author: 'Authors',
    },
    missing: 'What is missing',
    nothingMissing: 'Everything that the archive named could be had.',
    thingsMissing: (n: number) =>
      `${n === 1 ? 'One thing' : `${count.format(n)} things`} that the archive named could not be had:`,
    restMissing: 'The harvest’s report, kept with the snapshot, lists them all.',
    gone: (n: number) =>
      n === 1
        ? '1 record or guide entry is no longer in the living archive; the last copy of it is kept here.'
        : `${count.format(n)} records and guide entries are no longer in the living archive; the last copies of them are kept here.`,
    stale: (n: number) =>
      n === 1
        ? '1 record could not be had anew when this copy was taken; an earlier copy of it stands in its place.'
        : `${count.format(n)} records could not be had anew when this copy was taken; earlier copies of them stand in their place.`,
    pictures: (n: number) =>
      n === 1
        ? '1 picture could not be had; its page shows a drawing in its stead.'
        : `${count.format(n)} pictures could not be had; their pages show a drawing in their stead.`,
    files: (n: number) =>
      n === 1 ? '1 recording or text could not be had.' : `${count.format(n)} recordings and texts could not be had.`,
    private: (n: number) =>
      n === 1
        ? '1 record is held back, since it is not public.'
        : `${count.format(n)} records are held back, since they are not public.`,
    belowPrivate: (n: number) =>
      n === 1
        ? '1 record is held back with one that it belongs to.'
        : `${count.format(n)} records are held back with those that they belong to.`,
    withdrawn: (n: number) =>
      n === 1 ? '1 record was withdrawn by the archive.' : `${count.format(n)} records were withdrawn by the archive.`,
    unpublished: (n: number) =>
      n === 1
        ? '1 author is held back, since the entry is not published.'
        : `${count.format(n)} authors are held back, since their entries are not published.`,
  },

  withdrawn: {
    title: 'Withdrawn',
    text: (date: string, reason: string) => `This record was withdrawn from this copy on ${date}. ${reason}`,
  },

  unshown: {
    record: 'This record could not be shown. The snapshot that this copy was made from holds it as it was received.',
    page: 'This page could not be shown. The snapshot that this copy was made from holds what belongs here.',
    cut: (names: string) =>
      `This record is very long. Only the beginning is shown of: ${names}. The snapshot that this copy was made from holds all of it.`,
  },

  kiosk: {
    begin: 'Touch to begin',
    again: 'Begin again',
    outside: 'This leads out of this copy. Read the code with a telephone, or take the address along:',
    code: 'The address as a QR code',
    close: 'Close',
  },

  usb: {
    open: (title: string) => `Open the still copy of ${title}`,
    how: (file: string) =>
      `Double-click “${file}”. It opens in your browser, without a network and without installing anything. Chromium, Chrome, Edge and Firefox can search it.`,
    check: (folder: string) =>
      `The file ${folder}/manifest-sha256.txt lists every file with its SHA-256: “sha256sum -c manifest-sha256.txt” in the folder ${folder} proves that nothing is damaged.`,
  },

  keep: {
    title: 'Keep it offline',
    text: 'Pages that you have visited stay readable without a network. All of the mirror can be kept in this browser:',
    all: 'Keep all of it',
    keeping: '# of # files kept',
    kept: 'All of it is kept.',
    failed: 'It could not all be kept: the network or the room in this browser gave out. Try again to go on.',
    forget: 'Forget what is kept',
    forgotten: 'Nothing is kept any longer.',
  },

  compact: {
    needsScript: 'This copy keeps its pages in few files, to fit on a stick. Showing them needs JavaScript.',
  },

  notFound: {
    title: 'Not in this copy',
    description: 'This page is not in this copy of the archive',
    text: 'There is no such page here. The record may never have been copied, or its address may have a slip in it.',
    /** Around the links to the first page and to search. */
    begin: 'Begin at the first page',
    or: ', or ',
    search: 'search',
    end: '.',
    byHand:
      'This page finds the way back with JavaScript. Without it, shorten the address in the address bar, part by part from its end, until the first page appears.',
  },

  search: {
    title: 'Search',
    description: (archive: string) => `Search ${archive}`,
    /** Around the link that leads to browsing. */
    needsScript: ['Searching needs JavaScript. Without it, ', ' by topic, place, time and more.'],
    browse: 'browse',
    more: 'Show more',
    sortBy: 'Sort by',
    orders: { relevance: 'relevance', title: 'title', date: 'date' },
    filters: {
      model: 'Kind',
      collection: 'Collection',
      genre: 'Genre',
      format: 'Format',
      topic: 'Topic',
      facility: 'Facility',
      language: 'Language',
    },
    one: '1 result',
    /** `#` stands for the number. */
    many: '# results',
    none: 'No result.',
    /** What to try where nothing was found: a heading, then advice. */
    advice: [
      'Try this:',
      'fewer or other words',
      'fewer filters, or a wider span of years',
      'the spelling of the time, or a place instead of a name',
    ],
    filter: 'Filters',
    years: 'Years',
    from: 'From the year',
    to: 'To the year',
    /** `#` stands for what was chosen. */
    remove: 'Remove: #',
    notLoaded: 'The search index could not be loaded. Press the search button to try again.',
    cannotLoad: 'The search index cannot be loaded here: open this copy through a web server to search it.',
  },

  fieldSections: {
    about: 'About this item',
    people: 'People',
    subjects: 'Subjects and places',
    history: 'Scope and history',
    rights: 'Rights and credit',
    file: 'The file',
    record: 'The record',
  },
  /** By the field’s name in the record (docs/upstream-api.md, “Record fields”). */
  fields: {
    creation: 'Date',
    unitdateinclusive: 'Dates',
    unitdatebulk: 'Most of it from',
    location: 'Place',
    genre: 'Genre',
    format: 'Format',
    extent: 'Extent',
    language: 'Language',
    alternate_id: 'Other identifier',
    creators: 'Creators',
    persons: 'People named',
    contributor: 'Contributed by',
    topics: 'Topics',
    facility: 'Facility',
    geography: 'Geography',
    chronology: 'Period',
    scopecontent: 'Scope and content',
    bioghist: 'History',
    custodhist: 'Custody',
    acqinfo: 'Acquisition',
    accruals: 'Accruals',
    processinfo: 'Processing',
    physloc: 'Physical location',
    relatedmaterial: 'Related material',
    separatedmaterial: 'Separated material',
    notes: 'Notes',
    rights: 'Rights',
    rights_statement: 'Rights statement',
    accessrestrict: 'Access',
    userrestrict: 'Use',
    credit: 'Credit line',
    prefercite: 'Preferred citation',
    role: 'Role',
    label: 'Label',
    mimetype: 'Media type',
    size: 'Size in bytes',
    basename_orig: 'Original file name',
    access_rel: 'Access copy',
    download_large: 'Large image',
    download_fullsize: 'Full-size file',
    sha1: 'SHA-1',
    sha256: 'SHA-256',
    md5: 'MD5',
    external_urls: 'Elsewhere',
    tech_notes: 'Technical notes',
    xmp: 'Embedded metadata (XMP)',
    id: 'Identifier',
    model: 'Kind of record',
    parent_id: 'Belongs to',
    parent: 'Parent',
    collection_id: 'Collection',
    organization_id: 'Organization',
    signature_id: 'Representative file',
    sort: 'Position among its siblings',
    status: 'Status',
    public: 'Visibility',
    digitize_person: 'Digitized by',
    digitize_organization: 'Digitizing organization',
    digitize_date: 'Digitized on',
    record_created: 'Record created',
    record_lastmod: 'Record last changed',
    template: 'Display template',
    topics_id: 'Topic numbers',
    facility_id: 'Facility numbers',
    _fields: 'Fields of this kind of record',
    links: 'Addresses in the living archive',
  },
  /** What the rights codes mean for a reader. */
  terms: {
    cc: 'You may use it as its Creative Commons licence says.',
    pcc: 'It is under copyright; others may be given leave to use it. Ask the archive.',
    nocc: 'It is under copyright. Ask the archive before you use it.',
    pdm: 'It is free of known copyright.',
  },
  narrator: (n: number) => `narrator no. ${n}`,
  nameRecord: (id: string) => `name record ${id}`,
  period: (from: string, to: string) => `${from} to ${to}`,
  links: {
    html: 'Page',
    json: 'Record',
    img: 'Image',
    thumb: 'Thumbnail',
    download: 'Download',
    parent: 'Parent',
    children: 'Children',
    'children-objects': 'Children',
    'children-files': 'Files',
  },

  /** The labels behind codes (docs/upstream-api.md, “Codes”). An unknown code is shown as it is. */
  codes: {
    status: { inprocess: 'In progress', completed: 'Completed' },
    /** Names that the language data have otherwise. */
    language: { tgl: 'Tagalog' },
    public: { '1': 'Public', '0': 'Private' },
    model: {
      repository: 'Repository',
      organization: 'Organization',
      collection: 'Collection',
      entity: 'Object',
      segment: 'Interview segment',
      file: 'File',
      author: 'Author',
      article: 'Guide page',
    },
    rights: {
      cc: 'Creative Commons',
      pcc: 'Copyright, with special third-party grant permitted',
      nocc: 'Copyright restricted',
      pdm: 'Public domain',
    },
    format: { av: 'Audio/Visual', ds: 'Dataset', doc: 'Document', img: 'Still Image', vh: 'Oral History' },
    genre: {
      advertisement: 'Advertisements',
      album: 'Albums',
      architecture: 'Architecture',
      baseball_card: 'Baseball Cards',
      blank_form: 'Blank Forms',
      book: 'Books',
      broadside: 'Broadsides',
      cartoon: 'Cartoons (Commentary)',
      catalog: 'Catalogs',
      cityscape: 'Cityscapes',
      clipping: 'Clippings',
      correspondence: 'Correspondence',
      diary: 'Diaries',
      drawing: 'Drawings',
      ephemera: 'Ephemera',
      essay: 'Essays',
      ethnography: 'Ethnography',
      fieldnotes: 'Fieldnotes',
      illustration: 'Illustrations',
      interview: 'Interviews',
      landscape: 'Landscapes',
      leaflet: 'Leaflets',
      manuscript: 'Manuscripts',
      map: 'Maps',
      misc_document: 'Miscellaneous Documents',
      motion_picture: 'Motion Pictures',
      music: 'Music',
      narrative: 'Narratives',
      painting: 'Paintings',
      pamphlet: 'Pamphlets',
      periodical: 'Periodicals',
      petition: 'Petitions',
      photograph: 'Photographs',
      physical_object: 'Physical Objects',
      poetry: 'Poetry',
      portrait: 'Portraits',
      postcard: 'Postcards',
      poster: 'Posters',
      print: 'Prints',
      program: 'Programs',
      rec_log: 'Recording Logs',
      score: 'Scores',
      sheet_music: 'Sheet Music',
      timetable: 'Timetables',
      transcription: 'Transcriptions',
    },
  },
} as const;

/** The shape of a dictionary: the same keys, with text where English has text and sentences where it has sentences. */
type Shape<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : Shape<T[K]>;
};

export type Messages = Shape<typeof en>;
