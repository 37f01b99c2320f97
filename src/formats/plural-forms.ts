/** Texts with a number that scripts of browsers fill in, in all plural forms of a language. */

/** A text for each plural category of a language (CLDR). `#`, or another sign, becomes the number. */
export type PluralForms = Readonly<Record<string, string>>;

const rules = new Map<string, Intl.PluralRules>();

function rulesOf(language: string): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules([language, 'en']);
  rules.set(language, known);
  return known;
}

/** Returns the forms of a message of createTexts (messages.ts), with a sign in place of its number. */
export function pluralForms(language: string, message: (count: string) => string, sign = '#'): PluralForms {
  const categories = rulesOf(language).resolvedOptions().pluralCategories;
  return Object.fromEntries(categories.map((category) => [category, message(`${sign} ${category}`)]));
}

/** Returns the form for a number, in which its sign is still to be replaced. Older browsers know fewer categories. */
export function formFor(forms: PluralForms, count: number, language: string): string {
  return forms[rulesOf(language).select(count)] ?? (forms['other'] as string);
}
