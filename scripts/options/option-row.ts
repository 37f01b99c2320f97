/** A row of the table of options: what an option takes, what the help says of it, and which commands have it. */
import { Option } from 'commander';
import type { ValueType } from './option-values.ts';

/** What a row may have in addition to its text. */
interface Details<Value> {
  /** The value if the option is not given. */
  default?: Value | Readonly<Value>;
  /** The default in other words. */
  shown?: string;
  /** The commands that have the option; by default, those of the section. */
  of?: readonly string[];
  /** Whether it must be given, on the command line or as a setting. */
  isRequired?: true;
  /** Whether it is not a setting: it is meant for one run, or the setting of this name has another meaning. */
  isForOneRun?: true;
  /** Such as `-y`. */
  short?: string;
  /** The environment variable that takes precedence over the setting. */
  variable?: string;
}

/** A row. `Value` is what the option has, `Of` the commands if they are others than those of the section. */
export interface Row<Value = unknown, Of = unknown> extends Details<unknown> {
  /** As in the help: `<dir>`, or `<ids...>` if the option may be repeated; undefined for one without a value. */
  placeholder?: string;
  type?: ValueType<unknown>;
  /** Whether the option, as `--no-NAME`, makes false what is true otherwise. */
  negates?: true;
  text: string;
  /** Exists only for the compiler. */
  types?: [Value, Of];
}

type CommandsOf<More> = More extends { of: ReadonlyArray<infer Of> } ? Of : never;
type ValueOf<Value, More> = More extends { default: unknown } | { isRequired: true } ? Value : Value | undefined;

/** Returns the row of an option with a value. */
export const value = <Value, const More extends Details<Value> = Record<never, never>>(
  placeholder: string,
  type: ValueType<Value>,
  text: string,
  more?: More,
): Row<ValueOf<Value, More>, CommandsOf<More>> => ({ placeholder, type, text, ...more });

/** Returns the row of an option without a value. */
export const flag = <const More extends Details<never> = Record<never, never>>(
  text: string,
  more?: More,
): Row<boolean | undefined, CommandsOf<More>> => ({ text, ...more });

/** Returns the row of an option that begins with `--no-`. Its name is without `no`. */
export const negation = <const More extends Details<never> = Record<never, never>>(
  text: string,
  more?: More,
): Row<boolean, CommandsOf<More>> => ({ text, negates: true, default: true, ...more });

/** Options with one heading in the help. */
export interface Section<Of extends string = string, Rows = Readonly<Record<string, Row>>> {
  heading: string;
  /** The commands that have its options, or `all`. */
  of: readonly Of[];
  rows: Rows;
}

/** Returns the section of some commands. */
export const section = <const Of extends string, Rows extends Readonly<Record<string, Row>>>(
  heading: string,
  of: readonly Of[],
  rows: Rows,
): Section<Of, Rows> => ({ heading, of, rows });

/** The commands that have a row of a section. */
type Having<OneRow, Of> = OneRow extends Row<unknown, infer Own> ? ([Own] extends [never] ? Of : Own) : never;
type NameIf<Key, Found> = [Found] extends [never] ? never : Key;
/** The values that a command has of a section, by name. */
type ValuesIn<OneSection, Name> =
  OneSection extends Section<infer Of, infer Rows>
    ? { [Key in keyof Rows as NameIf<Key, Extract<Name | 'all', Having<Rows[Key], Of>>>]: ValueIn<Rows[Key]> }
    : never;
type ValueIn<OneRow> = OneRow extends Row<infer Value, unknown> ? Value : never;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;
/** The values of a command's options, from sections: each by its name. */
export type ValuesOf<Sections extends readonly unknown[], Name> = Intersection<ValuesIn<Sections[number], Name>>;

/** Whether an option can be repeated. */
export const isRepeatable = ({ placeholder }: Row): boolean => placeholder?.includes('...') === true;

/** A row with its name and section. */
export interface NamedRow {
  /** In camelCase. */
  name: string;
  heading: string;
  /** The commands that have the option, or `all`. */
  of: readonly string[];
  row: Row;
}

/** Returns the rows of sections: those of a command, or all. */
export function listRows(sections: readonly Section[], command?: string): NamedRow[] {
  const all = sections.flatMap(({ heading, of, rows }) =>
    Object.entries(rows).map(([name, row]) => ({ name, heading, of: row.of ?? of, row })),
  );
  return command === undefined ? all : all.filter(({ of }) => of.includes('all') || of.includes(command));
}

/** Whether the value of an option can also be a setting. `init` writes the settings itself. */
export const isSetting = ({ row, of }: Pick<NamedRow, 'row' | 'of'>): boolean => !row.isForOneRun && of[0] !== 'init';

/** Returns an option as it is typed: `--trust-days`. */
export const longOf = ({ name, row }: { name: string; row: Pick<Row, 'negates'> }): string =>
  `--${row.negates ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Returns an option as commander has it. */
export function toOption({ name, row, heading }: NamedRow): Option {
  const { placeholder, type, text, short, negates, isRequired, shown, variable } = row;
  const flags = `${short ? `${short}, ` : ''}${longOf({ name, row })}${placeholder ? ` ${placeholder}` : ''}`;
  const option = new Option(flags, isRequired ? `${text} (required)` : text).helpGroup(heading);
  if (!negates) option.default(row.default, shown);
  if (variable !== undefined) option.env(variable);
  if (type)
    option.argParser((typed: string, before: unknown): unknown =>
      isRepeatable(row) ? [before ?? [], type.parse(typed)].flat() : type.parse(typed),
    );
  return option;
}
