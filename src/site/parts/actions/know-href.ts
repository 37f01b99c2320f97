/** The link to the form for what a reader knows. */
import { KNOW_PATH, relativeUrl } from '../../../catalogue/urls.ts';
import type { Contribution } from '../../../formats/contribution.ts';
import { writeTarget } from '../../../formats/contribution-link.ts';
import type { Site } from '../../site.ts';

/** Returns the link from a page, with what the form shows of its subject; undefined if the site takes no contributions. */
export function createKnowHref(
  subject: Contribution['subject'],
  record: Contribution['record'],
  image: string | undefined,
  { design, locale }: Pick<Site, 'design' | 'locale'>,
): string | undefined {
  if (design?.contributions === false) return undefined;
  const target = { subject, record, image: image?.slice(locale.rootPath.length) ?? '' };
  return `${relativeUrl(subject.page, KNOW_PATH)}${writeTarget(target)}`;
}
