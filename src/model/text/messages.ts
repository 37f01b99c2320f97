/** Turns a file of messages into texts and functions that return texts: translators edit data, pages call `t.records(3)`. */
import { lazy } from '../../platform/lazy.ts';

/** A message, or one for each plural category of its language (CLDR), of which the value of `count` chooses one. */
type Message = string | Readonly<Record<string, string>>;
type Value = string | number;
/** One value for each name in `title, count`. */
type Values<Names extends string> = Names extends `${string}, ${infer Rest}` ? [Value, ...Values<Rest>] : [Value];

/**
 * What a file of messages becomes: a key with names in parentheses is a function of these values, and returns a text. Keys that
 * begin with `//` are notes, and left out.
 */
export type Texts<File> = {
  readonly [Key in keyof File as Key extends `//${string}`
    ? never
    : Key extends `${infer Name}(${string})`
      ? Name
      : Key]: Key extends `${string}(${infer Names})`
    ? (...values: Values<Names>) => string
    : File[Key] extends string | readonly string[]
      ? File[Key]
      : Texts<File[Key]>;
};

/** A sign in place of a number, and the plural category of the form that has it (src/formats/plural-forms.ts). */
const SIGN = /^(\S+) (zero|one|two|few|many|other)$/;
const FUNCTION = /^(\w+)\((.*)\)$/;

/** Returns the texts of a file of messages in a language, a BCP 47 tag. Messages are taken apart when first used. */
export function createTexts<File extends object>(file: File, language: string): Texts<File> {
  // Made when needed: they take a tenth of the start of a command.
  const rules = lazy(() => ({
    plurals: new Intl.PluralRules([language, 'en']),
    numbers: new Intl.NumberFormat([language, 'en']),
  }));
  const read = (group: object): object =>
    Object.fromEntries(
      Object.entries(group).flatMap(([key, value]) => {
        if (key.startsWith('//')) return [];
        const [, name, names = ''] = FUNCTION.exec(key) ?? [];
        if (name !== undefined) return [[name, createMessage(value, names.split(', '), rules)]];
        return [[key, typeof value === 'string' || Array.isArray(value) ? value : read(value)]];
      }),
    );
  return read(file) as Texts<File>;
}

/** `rules` say how a language writes and counts numbers. */
function createMessage(
  message: Message,
  names: readonly string[],
  rules: () => { plurals: Intl.PluralRules; numbers: Intl.NumberFormat },
) {
  const forms: Readonly<Record<string, string>> = typeof message === 'string' ? { other: message } : message;
  const position = names.indexOf('count');
  const parts = new Map<string, string[]>();
  const fill = (...values: Value[]): string => {
    const count = values[position];
    const [, sign, ofSign = 'other'] = (typeof count === 'string' && SIGN.exec(count)) || [];
    const category = typeof count === 'number' ? rules().plurals.select(count) : ofSign;
    const form = forms[category] === undefined ? 'other' : category;
    const split = parts.get(form) ?? (forms[form] as string).split(/[{}]/);
    parts.set(form, split);
    const shown = (name: string) =>
      name === 'count' && typeof count === 'number'
        ? rules().numbers.format(count)
        : name === 'count' && sign !== undefined
          ? sign
          : values[names.indexOf(name)];
    return split.map((part, i) => (i % 2 === 0 ? part : shown(part))).join('');
  };
  return Object.assign(fill, {
    // Templates write any value as text.
    toString() {
      throw new Error(`The message “${forms['other']}” needs values for ${names.join(', ')}.`);
    },
  });
}

/** Returns texts with `#` in place of the first value and `##` of the second, for scripts of browsers to fill in. */
export function asPatterns<Name extends string>(texts: Readonly<Record<Name, string | ((...values: [Value, Value]) => string)>>) {
  const patterns = Object.entries<(typeof texts)[Name]>(texts).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : text('#', '##'),
  ]);
  return Object.fromEntries(patterns) as Record<Name, string>;
}

/** The words of a text between which spaces are. */
type WordsOf<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : Text;

/** Returns some texts of a group for a script of the page to fill in, as `asPatterns` does. Spaces separate their names. */
export function patternsIn<Names extends string>(group: Parameters<typeof asPatterns<WordsOf<Names>>>[0], names: Names) {
  const texts = names.split(' ').map((name) => [name, group[name as WordsOf<Names>]]);
  return asPatterns<WordsOf<Names>>(Object.fromEntries(texts));
}
