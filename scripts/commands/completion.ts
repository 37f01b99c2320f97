/** `microfiche completion`: prints a script with which a shell completes commands, options and choices. It starts no program. */
import type { Command } from 'commander';
import { listRows, longOf } from '../options/option-row.ts';
import type { SettingSchema } from '../options/option-values.ts';
import { SECTIONS } from '../options/options.ts';

/** What can follow the name of a command; of the program itself, what follows its name. */
interface Words {
  name: string;
  text: string;
  /** Instead of file names, as the first argument. */
  choices: readonly string[];
  options: ReadonlyArray<{ long: string; text: string; takesValue: boolean; values: readonly string[] }>;
}

/** The shells, each with what writes its script. */
const SHELLS = { bash: writeBash, zsh: writeZsh, fish: writeFish, powershell: writePowerShell };
/** Of the program itself. */
const OWN_OPTIONS = ['--help', '--version'];

/** Runs the command `completion`. */
export function printCompletion(shell: string, commands: readonly Command[]) {
  const script = SHELLS[shell as keyof typeof SHELLS](listWords(commands));
  return { report: { shell, script }, lines: [script.trimEnd()] };
}

function listWords(commands: readonly Command[]): Words[] {
  return commands.map((command) => ({
    name: command.name(),
    text: command.summary(),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: [
      ...listRows(SECTIONS, command.name()).map(({ name, row }) => ({
        long: longOf({ name, row }),
        text: row.text,
        takesValue: row.type !== undefined,
        values: choicesOf(row.type?.schema),
      })),
      { long: '--help', text: 'Display help for this command', takesValue: false, values: [] },
    ],
  }));
}

/** The values that a schema names; of a list, those of its items. */
const choicesOf = ({ enum: values, anyOf = [] }: SettingSchema = {}): string[] =>
  (values ?? (anyOf as SettingSchema[]).flatMap((one) => one['enum'] ?? [])) as string[];

const namesOf = (commands: readonly Words[]) => commands.map(({ name }) => name);
const longsOf = (options: Words['options']) => options.map(({ long }) => long);
/** Calls `write` for each option that has values to choose from, with the name of its command. */
const forValues = (commands: readonly Words[], write: (name: string, long: string, values: string) => string): string =>
  commands
    .flatMap(({ name, options }) =>
      options.flatMap(({ long, values }) => (values.length > 0 ? write(name, long, values.join(' ')) : [])),
    )
    .join('\n');

function writeBash(commands: readonly Words[]): string {
  const cases = commands.map(
    ({ name, choices, options }) => `    ${name}:*) choices='${choices.join(' ')}' options='${longsOf(options).join(' ')}' ;;`,
  );
  return `# Completes the commands of Microfiche in bash: eval "$(microfiche completion bash)"
_microfiche() {
  local word=\${COMP_WORDS[COMP_CWORD]} choices= options= values=
  case \${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD - 1]} in
${forValues(commands, (name, long, values) => `    ${name}:${long}) values='${values}' ;;`)}
  esac
  case \${COMP_WORDS[1]}:$COMP_CWORD in
    *:1) choices='${namesOf(commands).join(' ')}' options='${OWN_OPTIONS.join(' ')}' ;;
${cases.join('\n')}
  esac
  if [[ $values ]]; then choices=$values; elif [[ $word == -* ]]; then choices=$options; elif ((COMP_CWORD > 2)); then choices=; fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o bashdefault -o default -F _microfiche microfiche
`;
}

/** A text in single quotes, for bash, zsh and sh. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function writeZsh(commands: readonly Words[]): string {
  const described = (name: string, text: string) => quote(`${name}:${text}`);
  const cases = commands.map(
    ({ name, choices, options }) =>
      `    ${name}) choices=(${choices.join(' ')}) options=(${options.map(({ long, text }) => described(long, text)).join(' ')}) ;;`,
  );
  return `#compdef microfiche
# Completes the commands of Microfiche in zsh, after compinit: eval "$(microfiche completion zsh)"
_microfiche() {
  local -a commands choices options values
  commands=(${commands.map(({ name, text }) => described(name, text)).join(' ')})
  options=(${OWN_OPTIONS.join(' ')})
  if ((CURRENT > 2)); then
    case $words[2] in
${cases.map((line) => `  ${line}`).join('\n')}
    esac
    case $words[2]:$words[CURRENT-1] in
${forValues(commands, (name, long, values) => `      ${name}:${long}) values=(${values}) ;;`)}
    esac
  fi
  if (($#values)); then compadd -a values
  elif [[ $PREFIX == -* ]]; then _describe option options
  elif ((CURRENT == 2)); then _describe command commands
  elif ((CURRENT == 3 && $#choices)); then compadd -a choices
  else _files; fi
}
if [[ $funcstack[1] == _microfiche ]]; then _microfiche "$@"; else compdef _microfiche microfiche; fi
`;
}

function writeFish(commands: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = commands.flatMap(({ name, text, choices, options }) => [
    `complete -c microfiche -n __fish_use_subcommand -f -a ${name} -d ${quoted(text)}`,
    ...(choices.length > 0
      ? [`complete -c microfiche -n '__fish_seen_subcommand_from ${name}' -f -a '${choices.join(' ')}'`]
      : []),
    ...options.map(
      ({ long, text: about, takesValue, values }) =>
        `complete -c microfiche -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}${takesValue ? ' -r' : ''}${values.length > 0 ? ` -f -a '${values.join(' ')}'` : ''} -d ${quoted(about)}`,
    ),
  ]);
  const own = OWN_OPTIONS.map((long) => `complete -c microfiche -n __fish_use_subcommand -l ${long.slice(2)}`);
  return `# Completes the commands of Microfiche in fish: microfiche completion fish | source\n${[...own, ...lines].join('\n')}\n`;
}

function writePowerShell(commands: readonly Words[]): string {
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word}'`).join(', ')})`;
  const table = (wordsOf: (command: Words) => readonly string[]) =>
    `@{\n${commands.map((command) => `    '${command.name}' = ${list(wordsOf(command))}`).join('\n')}\n  }`;
  return `# Completes the commands of Microfiche in PowerShell: microfiche completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName microfiche -ScriptBlock {
  param($word, $line, $cursor)
  $choices = ${table(({ choices }) => choices)}
  $options = ${table(({ options }) => longsOf(options))}
  $values = @{
${forValues(commands, (name, long, values) => `    '${name} ${long}' = ${list(values.split(' '))}`)}
  }
  $typed = $line.CommandElements
  $position = if ($word -eq '') { $typed.Count } else { $typed.Count - 1 }
  $found = @()
  if ($position -eq 1) { $found = ${list([...namesOf(commands), ...OWN_OPTIONS])} }
  elseif ($values["$($typed[1]) $($typed[$position - 1])"]) { $found = $values["$($typed[1]) $($typed[$position - 1])"] }
  elseif ($word -like '-*') { $found = $options["$($typed[1])"] }
  elseif ($position -eq 2) { $found = $choices["$($typed[1])"] }
  $found | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
