/** The design of a site: what its pages and its style sheet take from the setting `design`. */
import type { LocalText } from '../../model/text/local-text.ts';
import type { Section } from '../fields/fields.ts';
import type { SiteImage } from '../images.ts';
import type { Palette } from './colors.ts';
import type { DesignSettings, HOME_SECTIONS } from './settings.ts';

/** A row of the table of fields. */
export interface DesignedField {
  name: string;
  label: LocalText | undefined;
  /** Undefined: its usual section. */
  section: Section | 'none' | undefined;
}

/** Settings of which pages have more than what is set. */
type Completed = 'logo' | 'leadImage' | 'home' | 'fields' | 'facetLabels';

/**
 * The design of a site, as pages use it: what is set, and what was read for it. The paths of its images are relative to the top
 * of the site. It can be sent to threads.
 */
export interface Design extends Omit<DesignSettings, Completed> {
  logo: SiteImage | undefined;
  /** The image of the home page: a file of the design's, or that of a record. */
  leadImage: SiteImage | undefined;
  leadRecord: string | undefined;
  home: readonly (typeof HOME_SECTIONS)[number][];
  /** In their order; others follow. */
  fields: readonly DesignedField[];
  facetLabels: NonNullable<DesignSettings['facetLabels']>;
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

/** Whether a contact is an e-mail address. */
export const isEmailAddress = (contact: string): boolean => contact.includes('@') && !contact.includes('://');
