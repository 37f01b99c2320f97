/** All texts of the interface in English. The other dictionaries have the same shape. Avoided words and preferred ones: docs/glossary.md. */
import { MISSING_SENTENCES } from '../../snapshot/missing-groups.ts';
import { ENGLISH_ITEMS } from './one-item.ts';

const number = new Intl.NumberFormat('en');
/** Such as `1 item` and `1,200 items`. */
const counted = (n: number, singular: string, plural: string) => `${number.format(n)} ${n === 1 ? singular : plural}`;

/** The English dictionary. */
export const en = {
  /** The language’s own name, in the list of languages. */
  name: 'English',

  /** Header, footer and navigation of every page. */
  frame: {
    /** First link of a page, for keyboards and screen readers. */
    skip: 'Skip to content',
    /** Links to the results of a search, and to its filters, for those who use the keyboard. */
    skipToResults: 'Skip to results',
    skipToFilters: 'Skip to filters',
    /** Name of the main navigation, for screen readers. */
    main: 'Main',
    /** Button of each search form, and placeholder of the one in the header. */
    search: 'Search',
    /** Label of each search field, for screen readers; also the name of the site’s OpenSearch engine. */
    searchArchive: 'Search the archive',
    /** Placeholder of the search fields on the home page and the search page. */
    searchPlaceholder: 'Search titles, people, places and text',
    /** Name of the list of languages in the footer, for screen readers. */
    languages: 'Language',
    /** Label of the choice in the footer. */
    appearance: 'Appearance',
    appearances: { system: 'System', light: 'Light', dark: 'Dark' },
    /** Before an e-mail address or a URL. */
    contact: 'Contact:',
    /** Footer, around the URL of the live archive. */
    offlineCopyOf: ['An offline copy of ', '.'],
    /** Link to the Atom feed, for feed readers. */
    feed: 'Recently changed records',
    /** Footer, link to the page “About this copy”. */
    aboutLink: 'About this copy: date and gaps',
    /** Name of the breadcrumbs, for screen readers. */
    breadcrumbs: 'Breadcrumbs',
    /** Name of the page numbers below a long list, for screen readers. */
    pagination: 'Pagination',
    /** A link among them, for screen readers. */
    page: (n: number) => `Page ${n}`,
    /** Title of the second and later pages of a list. */
    titleOfPage: (title: string, n: number) => `${title}, page ${n}`,
    previous: 'Previous',
    next: 'Next',
    /** Names of the links to the previous and the next record, above and below a record, for screen readers. */
    recordNavigation: 'Previous and next records',
    recordNavigationBelow: 'Previous and next records, with titles',
    /** Name of the row of letters above a list of names, for screen readers. */
    letters: 'Jump to letter',
    /** Names that begin with neither a letter nor a digit. */
    otherLetters: 'Other',
    /** Name of the list of suggestions below a search field, for screen readers; and the kinds of names in it. */
    suggestions: 'Suggestions',
    nameKinds: {
      person: 'Person',
      place: 'Place',
      topic: 'Topic',
      facility: 'Facility',
      collection: 'Collection',
      exhibit: 'Exhibit',
      page: 'Page',
      article: 'Guide page',
      item: 'Item',
    },
  },

  /** Main navigation, and titles of the pages it links to. */
  sections: {
    collections: 'Collections',
    browse: 'Browse',
    people: 'People',
    guide: 'Guide',
    authors: 'Authors',
    about: 'About',
  },

  /** Content warnings, and labels of the protocols of communities. */
  notices: {
    /** Above the title of a content warning; also before it in lists. */
    warning: 'Content warning',
    label: 'Label',
    /** Name of a list of labels, for screen readers. */
    labels: 'Cultural-protocol labels',
    /** Buttons that show what a content warning is about, and cover it again. */
    show: 'Show',
    cover: 'Hide',
    /** The same for the texts beside a recording. */
    showText: 'Show text',
    coverText: 'Hide text',
    /** Label of both in IIIF viewers. */
    both: 'Notices',
  },

  /** Pages and exhibits that the operator wrote. */
  own: {
    /** Title of the list of exhibits, and link to it. */
    exhibits: 'Exhibits',
    exhibit: 'Exhibit',
    page: 'Page',
    /** Summary of the list for search engines. */
    exhibitList: (archive: string) => `Stories with records of ${archive}`,
    /** Heading of the notes at the end of a text. */
    notes: 'Notes',
    /** Notice above a text that is not in the page’s language; `#` is the name of its language. */
    otherLanguage: (language: string) => `This text is available only in ${language}.`,
    /** The moment at which a recording begins. */
    from: (moment: string) => `From ${moment}`,
    /** Name of the arrow from a note to the text, for screen readers. */
    backToText: 'Back to the text',
    /** Label of rights below an image, before their name. */
    rights: (rights: string) => `Rights: ${rights}`,
    /** Link below a map or timeline. */
    allPlaces: 'All places',
    allYears: 'Timeline of all records',
  },

  home: {
    /** Summary for search engines, if the archive has no description of its own. */
    description: (archive: string) => `An offline copy of ${archive}`,
    /** Heading above featured records, and another one if they are other ones each day. */
    featured: 'Featured',
    featuredToday: 'Featured today',
    /** Opens a record by chance. */
    random: 'Random item',
    /** Heading above the ways to explore the archive. */
    explore: 'Explore',
    /** What a reader finds on each of these ways, in one sentence. */
    ways: {
      people: 'Narrators, creators and others, each on one page with everything the archive has about them.',
      collections: 'Groups of records, kept in the archive’s own order.',
      topic: 'What the records are about, from broad subjects to narrow ones.',
      facility: 'Camps, schools, works and other sites in the records.',
      place: 'Where things happened, on a map and from A to Z.',
      genre: 'Photographs, letters, interviews and other kinds of records.',
    },
    /** Heading above the decades. */
    timeline: 'Timeline',
    /** Heading above some pages of the guide. */
    guide: 'From the guide',
    /** Heading above records of today’s month and day in other years. */
    onThisDay: 'On this day',
    /** Link below the search field. */
    advancedSearch: 'Search with filters',
    /** After a number, such as `12 collections`. */
    tally: {
      collection: (n: number) => (n === 1 ? 'collection' : 'collections'),
      entity: (n: number) => (n === 1 ? 'item' : 'items'),
      segment: (n: number) => (n === 1 ? 'interview segment' : 'interview segments'),
      file: (n: number) => (n === 1 ? 'file' : 'files'),
      article: (n: number) => (n === 1 ? 'guide page' : 'guide pages'),
    },
  },

  /** List pages: collections, authors, guide, facets. */
  lists: {
    /** The next six are summaries for search engines. */
    collections: (n: number) => `${counted(n, 'collection', 'collections')} in this archive`,
    authors: (n: number) => `${counted(n, 'author', 'authors')} of the guide, from A to Z`,
    guide: (n: number) => `${counted(n, 'page', 'pages')} of the guide, from A to Z`,
    browse: 'Browse the archive by topic, place, time, genre and more',
    facet: (facet: string) => `${facet} in this archive`,
    facetValue: (facet: string, value: string, n: number) => `${facet}: ${value} (${counted(n, 'record', 'records')})`,
    /** After the title of a facet value. */
    records: (n: number) => counted(n, 'record', 'records'),
    /** On the card of a collection. */
    items: (n: number) => counted(n, 'item', 'items'),
    /** Link to the page of an organization, if the list shows only its first collections. */
    allCollections: (n: number) => `All ${counted(n, 'collection', 'collections')}`,
    /** Heading above the values of a facet that has a page per letter. */
    mostFrequent: 'Most frequent',
    /** Heading on the page of a name, above links to the people who have it. */
    peopleOfName: 'People with this name',
    /** Heading on the page of a person, above links to the pages of the person’s names. */
    seeAlso: 'See also',
    /** Label of the choice between the next two, above the contents of a collection. */
    view: 'View',
    grid: 'Grid',
    smallGrid: 'Small grid',
    list: 'List',
    /** Fields above the contents of a collection. */
    filter: 'Filter',
    /** The same, if the list has several pages. */
    filterPage: 'Filter this page',
    archiveOrder: 'Archive order',
    /** After filtering, for screen readers. `#` is the number. */
    shown: 'Shown: #',
    /** Instead of a list in which the filter finds nothing, with a button. */
    noMatches: 'No matches.',
    clearFilter: 'Clear filter',
    /** Field above the contents of a collection with several pages. */
    searchCollection: 'Search this collection',
    /** Before it: what sorts and filters such contents. */
    severalPages: (pages: number) => `This list has ${number.format(pages)} pages. Search filters and sorts all of it.`,
    /** What all numbers of records count. */
    counting:
      'Numbers count records: collections, items and segments. An interview is one record, and so is each of its segments. A file counts with its record.',
    /** The same in the timeline. */
    countingTimes:
      'A record counts once in each decade and each year that its date covers. One dated only “1940s” counts in the decade alone, so years need not add up to their decade.',
    /** Name of the bars of decades above the timeline, for screen readers. */
    decades: 'Decades',
    /** After a topic and its number of records: how many there are with those of its narrower topics. */
    withNarrower: (n: number) => `${number.format(n)} with narrower topics`,
    /** Link above the records with a facet value: to a search for them, where they can also be sorted and filtered. */
    narrow: 'Search within these records',
    /** In the timeline, instead of decades without records. */
    gap: (from: string, to: string) => `${from} to ${to}: no records`,
  },

  /** The page of a facet value. */
  term: {
    /** What its records are: a sentence with their number and their years, `inYear` or `inYears`. */
    about: {
      topic: (n: number, years: string) => `${counted(n, 'record', 'records')} about this topic${years}.`,
      facility: (n: number, years: string) => `${counted(n, 'record', 'records')} about this facility, or made there${years}.`,
      place: (n: number, years: string) => `${counted(n, 'record', 'records')} about this place${years}.`,
      time: (n: number, years: string) => `${counted(n, 'record', 'records')} from this time${years}.`,
      genre: (n: number, years: string) => `${counted(n, 'record', 'records')} of this genre${years}.`,
      format: (n: number, years: string) => `${counted(n, 'record', 'records')} in this format${years}.`,
      language: (n: number, years: string) => `${counted(n, 'record', 'records')} in this language${years}.`,
      creator: (n: number, years: string) => `${counted(n, 'record', 'records')} by or with this creator${years}.`,
      person: (n: number, years: string) => `${counted(n, 'record', 'records')} with a mention of this person${years}.`,
      contributor: (n: number, years: string) => `${counted(n, 'record', 'records')} from this contributor${years}.`,
      rights: (n: number, years: string) => `${counted(n, 'record', 'records')} with this rights statement${years}.`,
    },
    undated: (n: number) => `${counted(n, 'record', 'records')} without a known date or period.`,
    inYear: (year: string) => `, from ${year}`,
    inYears: (first: string, last: string) => `, from ${first} to ${last}`,
    /** After a number: what the records are. `label` is a genre or a record type in lower case. */
    kind: (label: string) => label,
    /** The same for a genre whose label has no plural. */
    itemsOf: (n: number, label: string) => `${n === 1 ? 'item' : 'items'} of ${label}`,
    /** One kind with its number, in a list that becomes the next sentence. */
    counted: (n: string, label: string) => `${n} ${label}`,
    others: (n: number) => counted(n, 'other', 'others'),
    holds: (kinds: string, years: string) => `${kinds}${years}.`,
    /** Before a link to the decade of a year. */
    decade: 'Decade',
    /** Name of the bars of the years of a decade, for screen readers. */
    years: 'Years',
    /** Below the first segments of an interview: opens the others. */
    moreParts: (n: number) => `${number.format(n)} more`,
  },

  /** What a reader may do with items, by their rights. */
  reuse: {
    groups: {
      free: {
        title: 'Free to reuse',
        sentence:
          'You may reuse these without permission: public domain as you like, all others under the license that they name.',
      },
      request: {
        title: 'Ask first',
        sentence:
          'These are under copyright, or do not say under which license or who holds the rights: contact the archive, which may grant permission.',
      },
      restricted: {
        title: 'Restricted',
        sentence: 'You may look at these here; any reuse needs the permission of those who hold the copyright.',
      },
    },
    /** Above all groups. */
    rule: 'A record is free to reuse only if it names such terms: public domain, CC0, “No Copyright”, or one of the Creative Commons licenses. “Creative Commons” alone does not say which conditions apply.',
    /** Link to all groups, after a sentence of one, and in search. */
    all: 'What may I reuse?',
    /** Link below the rights statements of a group. */
    search: 'Search all of these',
  },

  /** Plural and singular: the title of a facet’s page, and the line above the title of a facet value’s page. */
  facets: {
    topic: ['Topics', 'Topic'],
    facility: ['Facilities', 'Facility'],
    place: ['Places', 'Place'],
    time: ['Time', 'Time'],
    genre: ['Genres', 'Genre'],
    format: ['Formats', 'Format'],
    language: ['Languages', 'Language'],
    creator: ['Creators', 'Creator'],
    person: ['People mentioned', 'Person mentioned'],
    contributor: ['Contributors', 'Contributor'],
    rights: ['Rights', 'Rights'],
  },
  /** How dates are written (src/model/dates/format.ts): `#` becomes a date, a year, or the first year of a decade; `##` the end of a span. */
  dates: {
    /** Also the facet value “time” of records without a readable date. */
    undated: 'Undated',
    circa: 'c. #',
    circaDecade: 'c. #s',
    uncertain: '#?',
    before: 'before #',
    after: 'after #',
    beforeDay: 'before #',
    afterDay: 'after #',
    early: 'early #',
    mid: 'mid-#',
    late: 'late #',
    earlyDecade: 'early #s',
    midDecade: 'mid-#s',
    lateDecade: 'late #s',
    decade: '#s',
    year: '#',
    years: '#–##',
    span: '#–##',
    spring: 'Spring #',
    summer: 'Summer #',
    autumn: 'Fall #',
    winter: 'Winter #',
  },
  /** Facet value of a person whose name other people have too; `id` is “narrator 12” or “interviewed 2012”. */
  personWithId: (name: string, id: string) => `${name} (${id})`,
  /** Facet value “time”. `year` is the first year of the decade. */
  decade: (year: number) => `${year}s`,
  /** Below its bar, in little space. */
  decadeShort: (year: number) => `${year}s`,

  /** The map on the page of the facet “place”. */
  map: {
    /** Name of the map, for screen readers. */
    title: 'Map of places',
    /**
     * Tooltip and name of a mark: one place with 1 or `{n}` records, or several places that are close together, of which `{label}` is “Quay +2”. They
     * begin with what the map shows, label and number, so that speech control finds them.
     */
    one: '{label}: 1 record',
    many: '{label}: {n} records',
    group: '{label}: {n} records at nearby places',
    /** Heading above a list of places that share one mark. */
    near: (label: string) => `${label} and nearby places`,
    /** Below that list, if it does not show all. */
    more: (n: number) => `${counted(n, 'more place', 'more places')} in the list above.`,
    /** How the map is used, below it. */
    keys: 'Keyboard: + and − zoom, arrow keys move the map, 0 shows all of it.',
    /** Caption. */
    source: 'Outlines: Natural Earth (public domain)',
  },

  /** The viewer that opens when a reader selects an image. */
  zoom: {
    /** Name of the viewer, for screen readers. */
    title: 'Image viewer',
    /** On the image, before the viewer is open. */
    open: 'Zoom',
    in: 'Zoom in',
    out: 'Zoom out',
    fit: 'Fit to screen',
    rotate: 'Rotate',
    fullScreen: 'Full screen',
    previous: 'Previous image',
    next: 'Next image',
    close: 'Close',
    keys: 'Keyboard: + and − zoom, arrow keys pan, 0 fits the image, R rotates it, F fills the screen, Esc closes.',
    /** The same, if the images are the pages of a document. */
    keysOfPages:
      'Keyboard: + and − zoom, arrow keys pan or turn whole pages, 0 fits the image, R rotates it, F fills the screen, Esc closes.',
  },

  /** The page of a record. */
  object: {
    /** Titles of records of which only the ID is known. */
    unavailableCollection: 'Collection not available',
    unavailableRecord: 'Record not available',
    /** Instead of the image of an item that has none. */
    noImage: 'No image available',
    /** Heading above the images of a document’s pages. */
    leaves: 'Pages',
    /** Alternative text of such an image. */
    leaf: (n: number, title: string) => `Page ${n}: ${title}`,
    /** Name of a small image in the strip of pages, for screen readers. */
    leafNumber: (n: number) => `Page ${n}`,
    /** Between the next two buttons. `n` is a number or `#`. */
    leafOf: (n: string, count: number) => `Page ${n} of ${number.format(count)}`,
    previousLeaf: 'Previous page',
    nextLeaf: 'Next page',
    /** Buttons that pass on the address of the page. */
    share: 'Share',
    copyLink: 'Copy link',
    /** Link to a file. `kind` is one of the next, `facts` are type and size. */
    download: (kind: string, facts: string) => `Download ${kind} (${facts})`,
    downloads: { image: 'image', video: 'video', audio: 'audio', text: 'text', file: 'file' },
    /** Button, or on file:// heading of a list, if there are several files: each `#` becomes a number. */
    downloadAll: {
      all: 'Download all # files (ZIP)',
      list: 'All # files',
      progress: 'Downloading file # of #',
      failed: 'The files could not be downloaded. Try again.',
    },
    /** Below the downloads of a file record. */
    checksum: (sha256: string) => `SHA-256 checksum: ${sha256}.`,
    /** After it. `names` are algorithms, such as `MD5, SHA-1`. */
    verified: (names: string) => `Verified on receipt against the archive’s ${names}.`,
    /** After the checksum, if the file is not as it was received. */
    stripped: {
      location: 'The location was removed from its metadata for publication.',
      all: 'Its metadata was removed for publication.',
    },
    /** Link above the contents of a collection, and title of the page that it opens. */
    findingAid: 'Finding aid',
    findingAidOf: (title: string) => `Finding aid: ${title}`,
    /** Below a transcript, before the URL of the record. */
    address: 'Address',
    /** In a finding aid: label of a checkbox for screen readers, and the heading above all of them. */
    requestItem: (title: string) => `Request: ${title}`,
    request: 'Request',
    /** Buttons: the first copies a list of the records that were selected; their number follows. */
    copyRequestList: 'Copy request list',
    clearRequestList: 'Clear selection',
    /** After them: `#` is the number of records that are selected. */
    selected: 'Selected: #',
    /** Lines that a reader can add to the list, and buttons that print it and write an e-mail with it. */
    requestVisit: {
      heading: 'Add your name and visit, print or e-mail',
      name: 'Name',
      date: 'Date of visit',
      purpose: 'Purpose',
      print: 'Print request list',
      mail: 'E-mail request list',
    },
    /** Above the list if it could not be copied. */
    requestListToCopy: 'Select the text to copy it:',
    /** In a finding aid, after the first records below another one. */
    more: (n: number) => `and ${number.format(n)} more`,
    /** In a finding aid, after the title of a record: how much is below it. */
    counts: {
      organization: (n: number) => counted(n, 'organization', 'organizations'),
      collection: (n: number) => counted(n, 'collection', 'collections'),
      item: (n: number) => counted(n, 'item', 'items'),
      segment: (n: number) => counted(n, 'segment', 'segments'),
      file: (n: number) => counted(n, 'file', 'files'),
    },
    /** Heading: other files of the record that a file belongs to. */
    relatedFiles: 'Related files',
    /** Heading. */
    interviews: 'Other interviews with the same narrator',
    /** Button beside a citation, before and after it was used. */
    copy: 'Copy',
    copied: 'Copied',
    /** Heading above the children of a record, by the model of the record. */
    contents: {
      collection: 'In this collection',
      organization: 'Collections',
      repository: 'Organizations',
      other: 'Contents',
    },
    /** Heading. */
    files: 'Files',
    /** Heading: guide pages that mention this record. */
    inTheGuide: 'In the guide',
    /** Heading: records that have something in common with this one. */
    related: 'Related records',
    /** Below each of them: a facet in the singular, and the value that both records have. */
    shared: (facet: string, value: string) => `${facet}: ${value}`,
    /** The same for a creator of both, in any role. */
    sharedCreator: (name: string) => `Also by or with ${name}`,
    /** Below one of them, if several have its title. */
    sameTitle: (n: number) => `One of ${number.format(n)} records with this title`,
    /** After a date such as “2/11/1947”. */
    dateAsWritten: '(as written; the day is uncertain)',
    centuryAsWritten: '(as written; the century is uncertain)',
    /** After the date of an undated record. */
    period: (period: string) => `(period: ${period})`,
    /** Heading above the citations. */
    cite: 'Cite this',
    /** Label of the choice between styles: for screen readers, and above the saved items. */
    citationStyle: 'Citation style',
    /** The archive’s own citation, among the citation styles. */
    preferred: 'Preferred citation',
    /** Heading, folded. */
    json: 'Record as JSON',
    /** At the end of the page. */
    harvestedOn: (date: string) => `Record harvested on ${date}.`,
    /** Heading in the full record, and its lines: `fields` are names of fields. */
    earlierVersions: 'Earlier versions',
    version: (date: string) => `Harvested on ${date}.`,
    changedVersion: (date: string, fields: string) => `Harvested on ${date}. Changed afterwards: ${fields}.`,
    /** Link after it. */
    livePage: 'View in the live archive',
    /** Links for IIIF viewers, below the citations; the second one also on the list of collections. */
    iiifManifest: 'IIIF manifest',
    iiifCollection: 'IIIF collection',
    /** Alternative text of an image. `kind` is what the image shows an item of, such as “Photograph”. */
    imageOf: (kind: string, title: string) => `${kind}: ${title}`,
    /** Kinds of items by format, for an item without a genre. */
    kinds: {
      img: 'Image',
      doc: 'Document',
      vh: 'Interview',
      av: 'Recording',
      ds: 'Data',
    },
    /** Notices at the top of the page. */
    removed: (date: string) =>
      `This record was removed from the live archive (detected on ${date}). You are viewing the last harvested version.`,
    fromBreadcrumbs: 'This record was unavailable. This page is based on what other records say about it.',
    fromList: 'The full record was unavailable. This page is based on its entry in a list.',
    /** `fields` are names of fields. */
    truncated: (fields: string) =>
      `This record is very long. Only the beginning of these fields is shown: ${fields}. The snapshot from which this copy was built contains the full record.`,
    inProcess: 'The archive was still processing this record when it was harvested.',
    streamOnly: 'This recording is stream-only and is not included in this copy.',
  },

  /**
   * Citations in the styles of Chicago, APA and MLA; the formats of reference managers are always in English. `names` is a list of names, `date` a date,
   * `medium` what is cited, such as “photograph”.
   */
  citation: {
    interviewBy: (names: string) => `interview by ${names}`,
    editedBy: (names: string) => `edited by ${names}`,
    translatedBy: (names: string) => `translated by ${names}`,
    /** A letter or another medium, and its recipients. */
    letter: 'letter',
    to: (medium: string, names: string) => `${medium} to ${names}`,
    /** In the brackets of APA; the medium of an interview that has none. */
    mediumBy: (medium: string, names: string) => `${medium} by ${names}`,
    interview: 'Interview',
    /** The first date on which the record was read. */
    accessed: (date: string) => `Accessed ${date}`,
    retrieved: (date: string, url: string) => `Retrieved ${date}, from ${url}`,
    /** Before the last of several names: in Chicago and MLA, in APA; and instead of further names. */
    and: 'and',
    ampersand: '&',
    andOthers: 'et al.',
    /** After the names of one editor, and of several, who lead a citation or are in parentheses; and of translators. */
    editor: { chicago: 'ed.', apa: 'Ed.', mla: 'editor' },
    editors: { chicago: 'eds.', apa: 'Eds.', mla: 'editors' },
    translators: 'Trans.',
    undated: 'n.d.',
  },

  /** Recordings on the page of a segment, an interview or a file. */
  recording: {
    /** Heading above the media files of a segment. */
    title: 'Media files',
    /** Name of the player, for screen readers. */
    player: (title: string) => `Recording: ${title}`,
    /** Name of the captions in the player’s menu. */
    captions: 'Captions',
    /** Heading above the segments of an interview, followed by their number and total length. */
    segments: 'Segments',
    total: (length: string) => `${length} total`,
    /** Button above the segments. */
    playInterview: 'Play interview',
    /** Checkbox below the player. */
    autoplay: 'Autoplay next segment',
    /** Controls below the player. */
    back: '−10 s',
    forward: '+10 s',
    speed: 'Speed',
    times: (factor: number) => `${number.format(factor)}×`,
    /** Heading, folded: a citation with the times of a part of the recording. The next two are labels of fields. */
    citeClip: 'Cite a clip',
    clipFrom: 'From',
    clipTo: 'To',
    /** Between a citation and the address of the clip: each `#` becomes a time. */
    clipTimes: '#–#',
    /** Instead of the citation if a time cannot be read; or is after the end, which `#` becomes. */
    clipHint: 'Write times as in 1:23.',
    clipTooLate: 'The recording ends at #.',
    /** Beside a segment without a recording. */
    notIncluded: 'not in this copy',
    /** Below the player. */
    length: (length: string) => `Length: ${length}`,
    /** Label of an extent that is a length. */
    lengthLabel: 'Length',
    /** Link to the page with the transcript of an interview, and its title. */
    entireTranscript: 'Entire transcript',
    transcriptOf: (title: string) => `Transcript: ${title}`,
    /** There, below the title of a segment. */
    noTranscript: 'No transcript',
    /** Titles of the texts beside the player. */
    texts: { captions: 'Captions', transcript: 'Transcript', glossary: 'Glossary' },
    /** Name of their tabs, for screen readers. */
    textsLabel: 'Captions, transcript and glossary',
    /** Search within them: label, and number of matches (each `#` becomes a number). */
    find: 'Find in text',
    matches: '# of #',
    noMatches: 'No matches',
    previousMatch: 'Previous match',
    nextMatch: 'Next match',
    /** Switch: whether the captions move with the recording. */
    follow: 'Follow the recording',
    /** Below a text, as far as they apply. */
    truncated: 'Only the beginning is shown.',
    textNotIncluded: 'The text is not in this copy.',
    /** Link to the record of a text. */
    textRecord: 'File record',
    /** Notices at the top of the page, if nothing can be played. */
    unplayable: 'Browsers cannot play this format. Download the file and open it in a media player.',
    none: 'No recording is listed for this segment.',
    absent: 'The recording is not in this copy. The live archive has the files listed below.',
    empty: 'The recording in the live archive is an empty file, so there is nothing to play.',
    /** Facts about the media files. */
    original: 'Original file',
    mimetype: 'Media type',
    id: 'ID',
    externalId: 'External ID',
    /** Link to a media file. */
    live: 'Open in the live archive',
    modified: (date: string) => `modified ${date}`,
    derivedFrom: (file: string) => `derived from ${file}`,
  },

  /** The page of saved items, and the button on the pages of records. */
  saved: {
    title: 'Saved items',
    /** Summary for search engines. */
    description: 'The records that you have saved in this browser',
    /** Button, before and after it was pressed. */
    save: 'Save',
    saved: 'Saved',
    /** Link in the header of every page, before the number of saved items. */
    link: 'Saved',
    /** Button on a record in a list, for screen readers, and its tooltip: `#` becomes the title. */
    saveItem: 'Save: #',
    needsScript: 'Saving items and showing the saved ones require JavaScript, which is off in this browser.',
    where: 'The list is kept in this browser only.',
    /** On file:// in Firefox. */
    perPage: 'In Firefox, the items of a copy on a disk or drive can only be removed on this page.',
    none: 'Nothing is saved yet. Select “Save” on the page of a record, or the bookmark beside it in a list.',
    /** Label of a button for screen readers: `#` becomes the title. */
    remove: 'Remove: #',
    /** Label of a checkbox on each item, and button that shows two of them side by side; then the label for screen readers: `#` becomes the title. */
    compare: 'Compare',
    compareItem: 'Compare: #',
    /** Heading above the two items. */
    comparison: 'Comparison',
    /** After one item was selected. */
    chooseAnother: 'Select another item to compare it with this one.',
    /** Heading above the list of another person, and the button that adds it. */
    sharedTitle: 'Shared list',
    saveAll: 'Save all',
    copyList: 'Copy link to this list',
    /** Below a citation of an item of which the copy on a drive knows only what lists say. */
    shortCitation: 'A short citation. Open the item once, and it is cited in the chosen style.',
    /** Below the formats. */
    shortExports: 'Items with a short citation are exported with fewer details, until you open them once.',
    copyCitations: 'Copy citations',
    /** Before the next button and those of other formats. */
    export: 'Export',
    formats: { list: 'List' },
    print: 'Print',
    clear: 'Remove all',
    /** If the list has as many items as the browser can keep. */
    full: 'The list is full. Export it, then remove some items.',
    /** After items were removed, with a button that brings them back. */
    removed: 'Removed.',
    undo: 'Undo',
  },

  /** The list of people and organizations, and their pages. */
  people: {
    /** Summary of the list for search engines. */
    list: (n: number) => `${counted(n, 'person or organization', 'people and organizations')} in this archive`,
    /** Link above the list. */
    authors: 'Authors of the guide',
    /** Above the title of a page. */
    kinds: { person: 'Person', organization: 'Organization', family: 'Family' },
    /** Summary for search engines, if the person has no biography. */
    describes: (name: string) => `${name} in this archive: interviews, works and records that name them`,
    /** What the records say of someone: short sentences, one after the other. */
    sentences: {
      years: (first: string, last: string) => (first === last ? `Records from ${first}. ` : `Records from ${first} to ${last}. `),
      mostly: (place: string) => `Mostly at ${place}. `,
      interviewed: (years: string) => `Interviewed in ${years}. `,
    },
    /** Caption of a narrator’s portrait; the notice without interviews; labels of what is known of a narrator. */
    portrait: 'Portrait',
    notInCopy: 'This copy has no interview with this person. The live archive lists the person as a narrator.',
    life: { born: 'Born', died: 'Died', generation: 'Generation', fullName: 'Full name', nickname: 'Nickname' },
    /** Label of those who share records with someone. The number after a name counts these records. */
    companions: 'Appears with',
    /** Labels of the two lists below the biography. */
    otherNames: 'Other names',
    namesakes: 'Others of this name',
    identifiers: 'Identifiers',
    /** Headings above records. */
    interviews: 'Interviews',
    works: 'Works',
    mentions: 'Mentioned in',
    inGuide: 'Records cited in the guide',
    /** Link below a part of them. `section` is one of the headings. */
    all: (section: string, n: number) => `${section}: all ${number.format(n)}`,
    /** The same below works, for a list that has interviews and their segments too. */
    allCreated: (n: number) => `As creator or narrator: all ${counted(n, 'record', 'records')}`,
    /** What a number after a name counts. */
    counting: 'The number after a name counts the records that name someone, each once, in any role.',
    /** Link from the list of someone’s works. */
    about: (name: string) => `About ${name}`,
    /** Before the name, which is a link, at an author’s former address. */
    moved: 'This page has moved:',
    /** Below the name: how many records there are of each kind. */
    tally: {
      interviews: (n: number) => counted(n, 'interview', 'interviews'),
      segments: (n: number) => counted(n, 'segment', 'segments'),
      works: (n: number) => counted(n, 'work', 'works'),
      mentions: (n: number) => `mentioned in ${counted(n, 'record', 'records')}`,
      /** Before several of these: the number of all, each counted once. */
      total: (n: number, kinds: string) => `${counted(n, 'record', 'records')}: ${kinds}`,
      /** In a list, after an author whom no record names. */
      guidePages: (n: number) => counted(n, 'guide page', 'guide pages'),
    },
  },

  /** Pages of authors and of the guide. */
  guide: {
    /** Above the title of a page. */
    author: 'Author',
    page: 'Guide page',
    /** Heading: an author’s guide pages. */
    pages: 'Guide pages',
    /** Before the names of the authors. */
    by: 'By',
    /** Headings: the sources of a guide page, and the records that it mentions. */
    sources: 'Sources',
    records: 'Related records',
    /** Labels of facts. */
    categories: 'Categories',
    topics: 'Topics',
    /** Rows of facts: latitude and longitude; of a source, the institution that has it, what identifies the original, and a page elsewhere. */
    position: 'Position',
    institution: 'Institution',
    original: 'Original',
    externalPage: 'Elsewhere',
    /** Between the label and the value of a fact of a source. */
    colon: ': ',
    /** Below a source that is a recording. */
    noRecording: 'The recording is not in this copy.',
    /** Headings of texts and labels of facts, by the names of their fields upstream. */
    fields: {
      moreinfo: 'For more information',
      footnotes: 'Notes',
      reviews: 'Reviews',
      related: 'Related pages',
      findatia: 'At the Internet Archive',
      databox: 'Data',
    } as Readonly<Record<string, string>>,
    /** At the end of a page. */
    modified: (date: string) => `Last modified on ${date}.`,
    /** Link after it. */
    live: 'View in the live archive',
  },

  /** The accessibility statement. */
  accessibility: {
    title: 'Accessibility',
    /** Summary for search engines. */
    description: (archive: string) => `How accessible this offline copy of ${archive} is`,
    intro:
      'These pages are made to conform to the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA. Every kind of page is tested with axe-core, in light and dark colors, and with the keyboard.',
    supports: {
      title: 'What you can expect',
      list: [
        'Everything can be used with the keyboard: “/” moves to the search field, and arrow keys move between records, pages of a document and search results.',
        'Text can be enlarged to 200%, and pages fit a width of 320 pixels.',
        'Pages follow the appearance and the reduced motion that you have set in your system.',
        'Pages can be read without JavaScript. Search, filters and saved items require it.',
        'Recordings have captions and transcripts if the archive has them.',
      ],
    },
    limits: {
      title: 'Known limits',
      list: [
        'Scanned pages are images. Screen readers cannot read them unless the archive has a transcript.',
        'The alternative texts of images are made from titles and descriptions of the records.',
        'Some recordings have neither captions nor a transcript.',
      ],
    },
    /** Keys, and a choice below them. */
    shortcuts: {
      title: 'Keyboard shortcuts',
      list: [
        '← and → open the previous and the next record.',
        '← and → turn the pages of a document while the focus is in it, and also while it is in view and nothing has the focus.',
        '↑ and ↓ move between search results.',
      ],
      slash: 'Use “/” as a shortcut to the search field',
    },
    feedback: {
      title: 'Feedback',
      /** Before the URL of the archive. */
      text: 'If something prevents you from using this copy, contact the archive that it was made from:',
    },
  },

  /** The page “About this copy”. */
  about: {
    title: 'About this copy',
    /** Summary for search engines. */
    description: (archive: string) => `Harvest date, contents and gaps of this offline copy of ${archive}`,
    /** Around the archive’s name and the URLs of its services. */
    copyOf: ['This is an offline copy of ', ', harvested from ', '.'],
    /** Between two URLs. */
    and: ' and ',
    harvestedOn: (date: string) => `It was last harvested on ${date}.`,
    interrupted: 'The last harvest was interrupted. More may be missing than is listed here.',
    offline: 'These pages load nothing from the network.',
    /** Heading above the number of records of each model. */
    contents: 'Contents',
    models: {
      repository: 'Repositories',
      organization: 'Organizations',
      collection: 'Collections',
      entity: 'Items',
      segment: 'Interview segments',
      file: 'Files',
      article: 'Guide pages',
      author: 'Authors',
    },
    /** Heading. */
    gaps: 'Gaps',
    nothingMissing: 'Everything that the archive references was copied.',
    /** Above a list of resources and reasons. */
    missing: (n: number) => `${counted(n, 'record or page', 'records and pages')} could not be copied:`,
    /** Below the list, if it does not show all. */
    moreMissing: 'The harvest report, stored with the snapshot, lists all of them.',
    /** Below the list: whose fault it is, and what to do. */
    missingAdvice:
      'The live archive did not send these when it was copied. The next harvest tries again; until then, the live archive may have them.',
    /** A link, below everything else. */
    licenses: 'Licenses of the software in this copy',
    /** Notes below the list. */
    removed: (n: number) =>
      n === 1
        ? '1 record or guide page was removed from the live archive; its last harvested version is shown.'
        : `${number.format(n)} records and guide pages were removed from the live archive; their last harvested versions are shown.`,
    /** `since` is a date. */
    outdated: (n: number, since?: string) =>
      n === 1
        ? `1 record could not be updated in the last harvest${since ? `, nor since ${since}` : ''}; an earlier version is shown.`
        : `${number.format(n)} records could not be updated in the last harvest${since ? `, some not since ${since}` : ''}; earlier versions are shown.`,
    /** What the archive itself does not have. */
    absent: MISSING_SENTENCES,
    /** After these sentences. */
    absentReason: 'The live archive does not have these either, so no copy can.',
    elsewhere: (n: number) =>
      n === 1
        ? '1 file is on another server and was not copied.'
        : `${number.format(n)} files are on other servers and were not copied.`,
    inside: (n: number) =>
      `${counted(n, 'file is on a server', 'files are on servers')} that only the archive’s own network reaches.`,
    images: (n: number) =>
      n === 1
        ? '1 image could not be copied; its page shows a placeholder instead.'
        : `${number.format(n)} images could not be copied; their pages show a placeholder instead.`,
    files: (n: number) =>
      n === 1
        ? '1 recording, transcript or original file could not be copied.'
        : `${number.format(n)} recordings, transcripts and original files could not be copied.`,
    private: (n: number) =>
      n === 1
        ? '1 record is withheld because it is private.'
        : `${number.format(n)} records are withheld because they are private.`,
    belowPrivate: (n: number) =>
      n === 1
        ? '1 record is withheld because a parent record is private.'
        : `${number.format(n)} records are withheld because a parent record is private.`,
    withdrawn: (n: number) =>
      n === 1 ? '1 record was withdrawn by the archive.' : `${number.format(n)} records were withdrawn by the archive.`,
    unpublished: (n: number) =>
      n === 1
        ? '1 author is withheld because the author’s page is not published.'
        : `${number.format(n)} authors are withheld because their pages are not published.`,
  },

  /** What remains of the page of a withdrawn record. */
  withdrawn: {
    title: 'Withdrawn record',
    text: (date: string, reason: string) => `This record was withdrawn from this copy on ${date}. ${reason}`,
  },

  /** What a page shows instead of its content if it could not be rendered. */
  failedPage: {
    record: 'This record could not be displayed. The snapshot from which this copy was built contains it as received.',
    page: 'This page could not be displayed. The snapshot from which this copy was built contains its data.',
  },

  /** A site in kiosk mode. */
  kiosk: {
    /** Button on the attract screen, and title of its page. */
    start: 'Touch to start',
    /** Link in the footer, and above an item. */
    startOver: 'Start over',
    /** Above an item, for screen readers: the links back. Those to the search that the visitor came from, and to another page: `#` becomes its title. */
    way: 'Way back',
    backToResults: 'Back to results',
    backTo: 'Back to #',
    /** Panel that opens in place of an external link, above a QR code and the URL. */
    outside: 'To open this address elsewhere, scan the code with your phone, or write it down.',
    /** Alternative text of the QR code. */
    code: 'QR code of the address',
    close: 'Close',
    /** Opens the panel with the code of the page’s own address. */
    forPhone: 'QR code for your phone',
    /** Keys of the on-screen keyboard: the space bar, and letters with accents. */
    space: 'Space',
    accents: 'Letters with accents',
    /** Key of the Japanese keyboard, beside “abc”. */
    latin: 'Latin letters',
    /** Key of the on-screen keyboard while a list is filtered. */
    firstMatch: 'Go to the first match',
  },

  /** The start page and the text file on a USB drive. */
  usb: {
    open: (title: string) => `Open the offline copy of ${title}`,
    how: (file: string) =>
      `Double-click “${file}”. It opens in your browser, with no network connection and no installation. Search works in Chromium, Chrome, Edge and Firefox.`,
    check: (manifest: string, siteManifest: string) =>
      `The files ${manifest} and ${siteManifest} list the SHA-256 checksum of every file. To check that no file is damaged, run “sha256sum -c” with the name of each in its folder.`,
    signature: (manifest: string, command: string) =>
      `The file ${manifest} is signed. To check who signed it, save the signer’s public key in a file “signers” as OpenSSH expects it, and run in the folder of ${manifest}: ${command}`,
    source: (file: string) =>
      `The file ${file} contains the source of the program that made this copy, with the description of its formats.`,
  },

  /** The section of “About this copy” by which a reader saves the site in the browser. */
  saving: {
    title: 'Save for offline use',
    text: 'Pages that you have visited stay available without a network connection. You can also save this entire copy in your browser:',
    /** Button, followed by the size in parentheses. */
    save: 'Save for offline',
    /** Button. */
    remove: 'Remove offline copy',
    /** Progress: each `#` becomes a number. */
    progress: '# of # files saved',
    saved: 'The entire copy is saved.',
    failed: 'Download incomplete: the network failed or browser storage is full. Try again to resume.',
    removed: 'The offline copy was removed.',
  },

  compact: {
    /** On the page that shows pages from packs. */
    needsScript: 'This copy stores its pages in a few large files to save space. Displaying them requires JavaScript.',
  },

  /** The page for addresses that do not exist. */
  notFound: {
    title: 'Page not found',
    /** Summary for search engines. */
    description: 'This page is not in this offline copy of the archive',
    text: 'The record may not have been copied, or the address may be mistyped.',
    /** A sentence: a link to the home page, a link to search, and what is around them. */
    home: 'Go to the home page',
    or: ' or ',
    search: 'search the archive',
    end: '.',
    /** At the address of a new page while the site is updated. */
    notYet: 'This page is not here yet: the site is being updated. Try again later.',
    withoutScript:
      'The links on this page require JavaScript. Without it, shorten the address in the address bar, one part at a time from its end, until the home page appears.',
  },

  search: {
    title: 'Search',
    /** Summary for search engines. */
    description: (archive: string) => `Search ${archive}`,
    /** Around the link `browse`. */
    needsScript: ['Search requires JavaScript. Without it, you can ', ' by topic, place, time and more.'],
    browse: 'browse',
    /** Button below the results. */
    more: 'Show more',
    sortBy: 'Sort by',
    orders: { relevance: 'Relevance', title: 'Title', date: 'Date' },
    /** Plural and singular, as of facets: headings of the filters that are not facets. */
    filters: {
      model: ['Record types', 'Record type'],
      collection: ['Collections', 'Collection'],
    },
    /** Label of the field that filters the values of a facet: `#` becomes its plural, in lower case. */
    filterValues: 'Filter #',
    /** Buttons below the values of a facet: `#` becomes the number of all values. */
    showAll: 'Show all #',
    showFewer: 'Show fewer',
    /** Below them: `#` becomes the number of values that are shown, `##` that of all. */
    firstValues: 'The first # of ## are shown. Use the filter to find others.',
    /** Name of the bars of years, for screen readers. */
    yearBars: 'Results by year',
    /** Tooltip of a bar: `#` becomes the years, and `##` their number of results. */
    yearBar: '#: ## results',
    yearBarOne: '#: 1 result',
    /** Button that closes the filters on a phone; `#` becomes the number. */
    showOne: 'Show 1 result',
    showMany: 'Show # results',
    /** On a print-out with only the first results: `#` becomes their number, `##` that of all. */
    part: 'Shown here: the first # of ## entries.',
    /** Heading of recent searches, and the button that deletes them. */
    recent: 'Recent searches',
    forgetRecent: 'Clear recent searches',
    /** Number of results: `#` becomes the number. */
    one: '1 result',
    many: '# results',
    /** The same if segments are below their interview: `#` becomes “17 results”. */
    grouped: '#, grouped by interview',
    /** How many records a name has; below its card. */
    oneRecord: '1 record',
    manyRecords: '# records',
    none: 'No results',
    /** `#` becomes the words that the reader typed. */
    noneFor: 'No results for “#”',
    /** Above results: `#` becomes words, in quotation marks, that no record has. */
    withoutUnknown: 'Results without #, which no record contains.',
    /** Above results: `#` becomes words, in quotation marks, that no record has together with the others. */
    withoutLeftOut: 'Results without #: no record contains all these words.',
    /** Above results that have different ones of the words. */
    someWords: 'Results with some of these words: no record contains all of them.',
    /** A word in these sentences. */
    quoted: '“#”',
    /** `#` becomes a link to a query with similar words that exist. */
    didYouMean: 'Did you mean #?',
    /** Before the text of a field in which a word was found: `#` becomes its label. */
    foundIn: 'In #:',
    /** Before links to the files of a record in which words were found: `#` becomes their number. */
    inFile: 'In a file of this record:',
    inFiles: 'In # files of this record:',
    /**
     * Before links to the segments of an interview in which words were found: `#` becomes their number. The first, if the words are spoken in all of
     * them. Then a link to all of them.
     */
    heardIn: 'Heard in # recordings:',
    inSegments: 'In # recordings:',
    allSegments: 'All #',
    /** For a word that is only in text that is not shown. */
    foundInHidden: 'Found by search words of the archive, which are not shown',
    /** Labels of fields and texts that records do not have. */
    fields: { title: 'Title', author: 'Author', body: 'Text', spoken: 'Transcript' },
    /** Below it: a heading, then suggestions. */
    advice: [
      'Suggestions:',
      'Use fewer or different words',
      'Remove filters, or widen the range of years',
      'Try a period spelling, or a place name',
    ],
    /** Heading of all filters, which opens them on a phone. */
    filter: 'Filters',
    years: 'Years',
    /** Labels of the two fields for years, for screen readers. */
    from: 'From year',
    to: 'To year',
    /** Button for a chosen filter, for screen readers: `#` becomes its name. */
    remove: 'Remove filter: #',
    /** A language whose code is in no list: `#` becomes the code. */
    unknownLanguage: 'Unknown language (#)',
    notLoaded: 'The search index could not be loaded. Select “Search” to try again.',
    cannotLoad: 'The search index cannot be loaded from a folder. Open this copy through a web server to search it.',
    useReader: 'The search page does not work in this program. Use the search of the program itself.',
  },

  /** Headings of the fields of a record. */
  fieldSections: {
    about: 'Details',
    history: 'Scope and context',
    rights: 'Rights and credit',
    technical: 'Full record',
  },
  /** By the field’s name in the record (docs/upstream-api.md, “Record fields”). */
  fields: {
    title: 'Title',
    description: 'Description',
    ia_meta: 'Media files',
    creation: 'Date',
    unitdateinclusive: 'Inclusive dates',
    unitdatebulk: 'Bulk dates',
    /** The archive’s words for dates that the page writes otherwise. */
    date_words: 'Date as recorded',
    location: 'Made at',
    genre: 'Genre',
    format: 'Format',
    extent: 'Extent',
    language: 'Language',
    alternate_id: 'Alternate ID',
    creators: 'Creator',
    persons: 'People mentioned',
    contributor: 'Contributor',
    topics: 'Topics',
    facility: 'Facility',
    geography: 'About',
    chronology: 'Period',
    scopecontent: 'Scope and content',
    bioghist: 'Biography or history',
    custodhist: 'Custodial history',
    acqinfo: 'Acquisition',
    accruals: 'Accruals',
    processinfo: 'Processing',
    physloc: 'Physical location',
    relatedmaterial: 'Related materials',
    separatedmaterial: 'Separated materials',
    notes: 'Notes',
    rights: 'Rights',
    rights_statement: 'Rights statement',
    accessrestrict: 'Conditions of access',
    userrestrict: 'Conditions of use',
    credit: 'Credit line',
    prefercite: 'Preferred citation',
    role: 'File role',
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
    external_urls: 'External links',
    tech_notes: 'Technical notes',
    xmp: 'Embedded metadata (XMP)',
    id: 'ID',
    model: 'Record type',
    parent_id: 'Parent record',
    parent: 'Parent',
    collection_id: 'Collection',
    organization_id: 'Organization',
    signature_id: 'Representative file',
    sort: 'Order',
    status: 'Status',
    public: 'Visibility',
    digitize_person: 'Digitized by',
    digitize_organization: 'Digitizing organization',
    digitize_date: 'Digitized on',
    record_created: 'Record created',
    record_lastmod: 'Record last modified',
    template: 'Display template',
    topics_id: 'Topic IDs',
    facility_id: 'Facility IDs',
    people_ids: 'Name records',
    narrator_id: 'Narrator ID',
    place_ids: 'Place records',
    _fields: 'Fields of this record type',
    links: 'Links to the live archive',
  },
  /** What the rights codes mean for a reader, as in `reuse.groups`; after the labels in `codes.rights`. */
  rightsNotes: {
    cc: 'Ask first: the record does not name the Creative Commons license.',
    pcc: 'Ask first: under copyright, but the archive may grant permission to reuse it.',
    nocc: 'Restricted: under copyright. Reuse needs the permission of the rights holder.',
    pdm: 'Free to reuse: no known restrictions.',
    orphan: 'Ask first: the rights holder is unknown or cannot be found.',
  },
  /** The note on a license that the record names, such as “CC BY 4.0”. */
  namedLicense: 'Free to reuse under its Creative Commons license.',
  /** In parentheses after a name. */
  narrator: (id: number | string) => `narrator ID ${id}`,
  /** The same, in its place, for someone of whom there are interviews. */
  interviewed: (years: string) => `interviewed ${years}`,
  nameRecord: (id: string) => `name record ID ${id}`,
  /** By the link’s name in the record (docs/upstream-api.md, “Record links”); before a URL. */
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

  /** Labels of codes (docs/upstream-api.md, “Codes”). An unknown code is shown as it is. */
  codes: {
    status: { inprocess: 'In progress', completed: 'Completed' },
    /** The special codes of ISO 639, and languages for which the browser’s data have another name. Codes are in lower case. */
    language: {
      tgl: 'Tagalog',
      und: 'Undetermined',
      zxx: 'No linguistic content',
      mul: 'Multiple languages',
      mis: 'Uncoded language',
    },
    /** Roles of people, after their names; others are shown as the archive writes them. */
    creatorRole: {
      narrator: 'narrator',
      interviewee: 'interviewee',
      interviewer: 'interviewer',
      author: 'author',
      photographer: 'photographer',
      artist: 'artist',
      illustrator: 'illustrator',
      editor: 'editor',
      translator: 'translator',
      compiler: 'compiler',
      creator: 'creator',
      contributor: 'contributor',
      publisher: 'publisher',
      printer: 'printer',
      correspondent: 'correspondent',
      recipient: 'recipient',
      videographer: 'videographer',
      director: 'director',
      producer: 'producer',
      composer: 'composer',
      transcriber: 'transcriber',
      donor: 'donor',
      collector: 'collector',
      subject: 'subject',
    },
    public: { '1': 'Public', '0': 'Private' },
    /** What a file is for. */
    role: {
      master: 'Master',
      mezzanine: 'Mezzanine (working copy)',
      access: 'Access copy',
      transcript: 'Transcript',
      gloss: 'Glossary',
      administrative: 'Administrative',
    },
    model: {
      repository: 'Repository',
      organization: 'Organization',
      collection: 'Collection',
      entity: 'Item',
      segment: 'Interview segment',
      file: 'File',
      author: 'Author',
      article: 'Guide page',
      page: 'Page',
      exhibit: 'Exhibit',
    },
    rights: {
      cc: 'Creative Commons, license not named',
      pcc: 'Copyright, with special third-party grant permitted',
      nocc: 'Copyright restricted',
      orphan: 'Orphan work',
      pdm: 'Public domain',
    },
    format: { av: 'Audio/Visual', ds: 'Dataset', doc: 'Document', img: 'Still Image', vh: 'Oral History' },
    /** One item of each genre. */
    item: ENGLISH_ITEMS,
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

/** The shape of a dictionary: the same keys as in English, each with a text or a function of the same parameters. */
type DictionaryShape<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : DictionaryShape<T[K]>;
};

/** The dictionary of any language. */
export type Dictionary = DictionaryShape<typeof en>;
