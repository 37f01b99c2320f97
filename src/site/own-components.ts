/**
 * The components of a site that an archive can replace by its own, and their props. It is also the module
 * `microfiche-archive/components`, from which own components import the types and the links of pages.
 */
import type { Dictionary } from './language/locale.ts';
import type { ArticleView } from './pages/guide/guide.ts';
import type { HomeView } from './pages/home/home.ts';
import type { Heading, ObjectPart, ObjectView } from './pages/object/object.ts';
import type { OwnPageView } from './pages/own/own-page-view.ts';
import type { PersonView } from './pages/person/person.ts';
import type { TermView } from './pages/term/term.ts';
import type { TermGuide } from './pages/term/term-guide.ts';
import type { Voice } from './pages/term/voices.ts';
import type { PageCitation } from './parts/actions/object-citations.ts';
import type { Card } from './parts/cards/card.ts';
import type { Crumb } from './parts/frame/page-parts.ts';
import type { MapView } from './parts/map/map.ts';
import type { SmallMapView } from './parts/map/small-map.ts';
import type { Site, SitePage } from './site.ts';

export {
  ABOUT_PATH,
  BROWSE_PATH,
  COLLECTIONS_PATH,
  EXHIBITS_PATH,
  GUIDE_PATH,
  HOME_PATH,
  objectPath,
  ownPath,
  PEOPLE_PATH,
  relativeUrl,
  SAVED_PATH,
  SEARCH_PATH,
} from '../catalogue/urls.ts';
export { linksFrom, type PageLinks } from './parts/frame/page-links.ts';
export type {
  ArticleView,
  Card,
  Crumb,
  Dictionary,
  Heading,
  HomeView,
  MapView,
  ObjectView,
  OwnPageView,
  PageCitation,
  PersonView,
  Site,
  SmallMapView,
  TermGuide,
  TermView,
  Voice,
};

/** The props of each component that can be replaced. Paths are relative to the top of the pages in the same language. */
export interface ComponentProps {
  /** The home page. */
  HomePage: {
    view: HomeView;
    /** Clips of narrators. */
    voices?: Voice[];
    /** The map of places; undefined if there are none. */
    map: MapView | undefined;
    site: Site;
  };
  /** The page of a record that is not a collection. */
  ObjectPage: { view: ObjectView; site: Site };
  /** The page of a collection, and of what is above collections. */
  CollectionPage: { view: ObjectView; site: Site };
  /** The page of a person or organization. */
  PersonPage: { view: PersonView; site: Site };
  /** A page of the guide. */
  ArticlePage: { view: ArticleView; site: Site };
  /** The records with a value of a facet, such as a topic. */
  TermPage: {
    view: TermView;
    /** What the guide says of it, on its first page. */
    guide?: TermGuide | undefined;
    /** Of the first page of a place or facility. */
    map?: SmallMapView | undefined;
    /** Clips of different narrators, on the first page of a topic, place or facility. */
    voices?: readonly Voice[];
    site: Site;
  };
  /** An own page or exhibit. */
  OwnPage: { view: OwnPageView; site: Site };
  /** The header of every page. It leaves out the name of the site on a page whose heading is that name. */
  Header: SitePage & { isTitled?: boolean | undefined };
  /** The footer of every page. */
  Footer: SitePage;
  /** The breadcrumbs of a page. Every step but the last is a link. */
  Breadcrumbs: {
    /** The path of the page. */
    from: string;
    /** The name of the list, for screen readers. */
    label: string;
    trail: Crumb[];
  };
  /** A record in a list of cards: an element `li`. */
  Card: {
    /** The path of the page. */
    from: string;
    card: Card;
    /** Whether the list has images. */
    hasImage: boolean;
    /** Whether the image is in the first screen, so that it is loaded at once. */
    isFirst: boolean;
  };
  /** What a record is, and its title. */
  ObjectHeading: {
    /** The path of the page. */
    from: string;
    /** Such as “Photograph”. */
    kind: string;
    heading: Heading;
  };
  /** What a record shows: its player, image or pages, and its description. The slot is below them. */
  ObjectMedia: ObjectPart;
  /** What a reader can do with a record, in a row below its title: cite, save, share, download. The slot comes first. */
  ObjectActions: {
    site: Site;
    view: ObjectView;
    /** Whether all files and the IIIF manifest are in the row. Else they are below the player. */
    hasDownloads?: boolean;
  };
  /** The fields of a record beside its image. */
  SummaryRows: ObjectPart;
  /** The other fields of a record for readers, by section. */
  FieldSections: { t: Dictionary; fields: ObjectView['fields'] };
  /** The citations of a record, the first one in the style that comes first. */
  Citations: {
    t: Dictionary;
    citations: PageCitation[];
    /** The name of the files, without an extension. */
    fileName: string;
  };
}

/** The name of a component that can be replaced. */
export type ComponentName = keyof ComponentProps;

const NAMES: Readonly<Record<ComponentName, true>> = {
  HomePage: true,
  ObjectPage: true,
  CollectionPage: true,
  PersonPage: true,
  ArticlePage: true,
  TermPage: true,
  OwnPage: true,
  Header: true,
  Footer: true,
  Breadcrumbs: true,
  Card: true,
  ObjectHeading: true,
  ObjectMedia: true,
  ObjectActions: true,
  SummaryRows: true,
  FieldSections: true,
  Citations: true,
};

/** The names of the components that can be replaced. */
export const COMPONENT_NAMES = Object.keys(NAMES) as ComponentName[];
