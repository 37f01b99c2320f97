/** The design of a site: what its pages and its style sheet take from the setting `design`. */
import type { Facet } from '../../model/facets.ts';
import type { LocalText } from '../../model/text/local-text.ts';
import type { Section } from '../fields/fields.ts';
import type { Palette } from './colors.ts';
import type { HomeSection } from './settings.ts';

/** An image of a design in the site. */
export interface DesignImage {
  /** Path relative to the top of the site. */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** A row of the table of fields. */
export interface DesignedField {
  name: string;
  label: LocalText | undefined;
  /** Undefined: its usual section. */
  section: Section | 'none' | undefined;
}

/** The design of a site, as pages use it. It can be sent to threads. */
export interface Design {
  title: LocalText | undefined;
  tagline: LocalText | undefined;
  logo: DesignImage | undefined;
  /** The image of the home page: a file of the design's, or that of a record. */
  leadImage: DesignImage | undefined;
  leadRecord: string | undefined;
  footer: LocalText | undefined;
  /** An e-mail address or a URL. */
  contact: string | undefined;
  licenseNote: LocalText | undefined;
  home: readonly HomeSection[];
  /** In their order; others follow. */
  fields: readonly DesignedField[];
  /** Facets by which readers browse, in their order; undefined: all. */
  facets: readonly Facet[] | undefined;
  facetLabels: Readonly<Partial<Record<Facet, { one: LocalText; many: LocalText }>>>;
  palette: Palette;
  /** What it adds to the style sheet: CSS; empty if it adds nothing. */
  css: string;
  /** The same without fonts: for a page that cannot link to files. */
  inlineCss: string;
  /** The style sheet for old engines of a page that cannot link to files, if it is not the usual one. */
  style: string | undefined;
  /** A hash of all of this, and of the files. */
  hash: string;
}
