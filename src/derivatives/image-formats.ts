/** File formats for the site's images (`build --pictures`), with the settings of sharp for thumbnails and for display images. */
export const IMAGE_SETTINGS = {
  webp: { thumb: { quality: 72, effort: 2 }, page: { quality: 80, effort: 2 } },
  avif: { thumb: { quality: 50, effort: 3 }, page: { quality: 55, effort: 3 } },
} as const;
/** One of these formats: the file extension, the subtype of the media type, and the name of sharp's function. */
export type ImageFormat = keyof typeof IMAGE_SETTINGS;
/** All formats. */
export const IMAGE_FORMATS = Object.keys(IMAGE_SETTINGS) as [ImageFormat, ...ImageFormat[]];
