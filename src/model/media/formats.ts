/** The table of formats. A file of any other is kept and offered, and its page says that it is not shown. */
import rows from './formats.json' with { type: 'json' };

/** What is done with files of some media types, other than keeping and offering them. */
export interface Format {
  name: string;
  /** The media types, separated by spaces. Of those that play, browsers support the first formats best. */
  types: string;
  /** What decodes it as an image (src/derivatives/open-image.ts). sharp cannot contain the decoder of HEVC, which HEIC has. */
  decoder?: 'sharp' | 'ffmpeg' | 'libvips' | 'libheif';
  /** ffmpeg's demuxer. Naming it prevents an untrusted file from being read as a playlist of other files. */
  demuxer?: string;
  /** Whether browsers play it. */
  plays?: boolean;
  /** What reads its text (src/model/transcripts/read-transcript.ts). */
  reader?: 'alto' | 'hocr' | 'html' | 'ohms' | 'plain' | 'tei' | 'ttml' | 'vtt' | 'xml';
  /** What docs/media.md says of it beside that: how it is shown, whether search finds it, and in what packages have it. */
  note?: string;
  searched?: string;
  exported?: string;
}

/** All formats. */
export const FORMATS = rows as readonly Format[];
const BY_TYPE = new Map(FORMATS.flatMap((format) => format.types.split(' ').map((type) => [type, format] as const)));

/** Returns the format of a media type, if it is a known one. */
export const formatOf = (mimetype: string): Format | undefined => BY_TYPE.get(mimetype);
