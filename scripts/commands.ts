/** The commands: what the help says of each, and the module that is loaded to run it. Their options are in options.ts. */
import { Argument, Command } from 'commander';
import { FORMAT_NAMES } from '../src/export/formats.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { VERSION } from '../src/model/version.ts';
import { archiveUrl, interfaceLanguage, path, recordIds } from './options/option-values.ts';
import { addOptions } from './options/options.ts';

/** What is said of a command, and what runs it. */
interface Description {
  summary: string;
  description: string;
  arguments?: readonly Argument[];
  /** Follows the options. */
  help?: string;
  /** Loads the function that runs the command, given its arguments, option values and the command. */
  load: () => Promise<(...given: never[]) => Outcome | Promise<Outcome>>;
}

/** What a command returns to be printed: its report with --json, otherwise its lines. */
interface Outcome {
  report?: object | undefined;
  lines?: readonly string[];
  /** By default, that of success. */
  exitCode?: number;
  /** What failed in spite of the report. It is thrown after that was printed. */
  error?: Error | undefined;
}

/** Returns the part of a command's help that names its exit codes. `incomplete` says what 3 means. */
const exitCodes = (incomplete: string) => `
Exit codes:
  0    success; permanent failures, such as HTTP 404, are in the report
  1    failure
  2    usage error
  3    ${incomplete}
  130  interrupted`;

const appendRecordIds = (typed: string, before: string[] = []) => [...before, ...recordIds.parse(typed)];

/** In the order of the help. */
const COMMANDS = {
  init: {
    summary: 'Start a project of your own',
    description:
      'Write a small project into an empty directory: settings, a page about the mirror, an example exhibit, a README, and on request files for automatic updates. On a terminal, it prompts for what is not given.',
    arguments: [new Argument('[dir]', 'Directory of the project').argParser(path.parse).default('.')],
    load: async () => (await import('./commands/init.ts')).runInit,
  },
  update: {
    summary: 'Harvest, download media, build and verify in one run',
    description:
      'Run all steps, for example every night: harvest the archive, download its media files, build the site and verify both. Run the same command again to resume after an interruption.',
    help: `
Exit codes:
  0    everything was done; permanent failures are in the report
  1    a step failed, or verify has findings
  2    usage error
  3    partial: the site is up to date, but something in it failed
  4    the harvest found too few records; the site was left as it was
  5    another process has locked the snapshot or the site
  130  interrupted`,
    load: async () => (await import('./commands/update.ts')).updateAll,
  },
  harvest: {
    summary: 'Harvest an archive into a snapshot',
    description:
      "Harvest an archive's JSON API into a snapshot. Run the same command again to resume an interrupted harvest or to update the snapshot.",
    help: exitCodes('transient errors remain, a limit was reached, or a host demands a delay'),
    load: async () => (await import('./commands/harvest.ts')).harvestArchive,
  },
  media: {
    summary: 'Download media files into the snapshot',
    description:
      'Download the media files that records reference, and verify their checksums. Stored files are skipped; interrupted downloads are resumed.',
    help: exitCodes('transient errors remain, or a host is unreachable'),
    load: async () => (await import('./commands/media.ts')).downloadFiles,
  },
  build: {
    summary: 'Build the site from the snapshot',
    description: 'Build the site and its search index from the snapshot, without using the network.',
    load: async () => (await import('./commands/build.ts')).buildFromSnapshot,
  },
  merge: {
    summary: 'Make a site of its shards',
    description:
      'Make a site of the shards that "microfiche build --shard" has built, on one machine or several. The site is that of one "build --clean", byte for byte. Shards that do not belong together are rejected.',
    arguments: [new Argument('<shards...>', 'directories of all shards, for example shard-0 shard-1')],
    load: async () => (await import('./commands/merge.ts')).mergeSite,
  },
  serve: {
    summary: 'Serve the site, both APIs and the media files',
    description:
      'Serve the built site at /, both APIs from the snapshot at /api/3.0/ and /api/0.2/, the public records as OAI-PMH at /oai, and media files at their own paths. With --snapshot alone, no site is served. Without a snapshot, a site or a checkout is served with the sample archive.',
    help: `
Private records, everything below them and their media files are withheld if a
site is served, or if other machines can connect (--host, --allow-host). With
--snapshot alone on the default host, the entire snapshot is served, including
private records, so that it can be harvested again; but not to requests in which
a proxy names itself. Behind any other proxy or tunnel, add --no-private.`,
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  verify: {
    summary: 'Check the snapshot and the site',
    description:
      'Check the snapshot against its recorded SHA-256 checksums and the built site against its manifest, and report missing, corrupted and orphan files, broken links and network references. --dir may also name the root of a USB drive, a bag or a WACZ. The options of requests apply with --repair.',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  status: {
    summary: 'Show what the snapshot contains and what is missing',
    description: 'Show what the snapshot contains, what is missing and why, and when it was last harvested.',
    load: async () => (await import('./commands/status.ts')).showStatus,
  },
  export: {
    summary: 'Write a package that other programs open',
    description: `Write a package that other programs open: ${FORMAT_NAMES.join(', ')}. The same snapshot gives the same bytes. What the archive withholds is in none of them; bags and a WACZ of the snapshot also contain private records. The format site is a copy of the site for "microfiche sync".`,
    arguments: [new Argument('<format>', 'format of the package').choices([...FORMAT_NAMES, 'site'])],
    load: async () => (await import('./commands/export.ts')).exportPackage,
  },
  import: {
    summary: 'Make a snapshot from a bag or WACZ, or update it',
    description:
      'Make a snapshot from a bag or WACZ that "microfiche export" wrote. It is checked first: if it is damaged or was changed, nothing is written. The update of a bag is applied to a snapshot that was imported from that bag.',
    arguments: [new Argument('<path>', 'bag (a directory, ZIP or TAR file) or WACZ, for example archive-bag.zip')],
    load: async () => (await import('./commands/import.ts')).importSnapshot,
  },
  purge: {
    summary: 'Remove records from the snapshot for good',
    description: `Remove records from a snapshot for good: response bodies, earlier versions and media files, with everything below the records, and their entries in stored lists. Only the IDs, the time and the reason remain, so that later harvests do not store the records again.

To leave a record out of the site and keep it in the snapshot, list it under "withhold" in microfiche.config.json instead.`,
    arguments: [new Argument('<ids...>', 'IDs of records, of any level, for example demo-org-1-2').argParser(appendRecordIds)],
    load: async () => (await import('./commands/purge.ts')).purgeRecords,
  },
  move: {
    summary: 'Change the URLs in the snapshot after the archive has moved',
    description:
      'After the archive has moved to another host or path, change its URLs in the snapshot, as if it had been harvested there. Nothing is downloaded again or counts as changed, sites and copies of before are recognized, and what was received stays provable. The same command in the other direction undoes it.',
    arguments: [
      new Argument('<old>', 'base URL until now, for example https://old.example').argParser(archiveUrl.parse),
      new Argument('<new>', 'base URL from now on, for example https://new.example').argParser(archiveUrl.parse),
    ],
    load: async () => (await import('./commands/move.ts')).moveArchive,
  },
  usb: {
    summary: 'Copy the site to a USB drive',
    description:
      'Copy the built site to a mounted USB drive, and verify what was written. Run the same command again to resume an interrupted copy.',
    load: async () => (await import('./commands/usb.ts')).writeToUsb,
  },
  sync: {
    summary: 'Bring a copy up to date with another one',
    description:
      'Make a copy of a site, a snapshot or a bag the same as another copy of the same archive, or apply an update that "microfiche export --since" wrote. Only what differs is copied, and verified. Run the same command again to resume an interrupted copy. A newer copy is not replaced, and nothing that was withdrawn from the copy comes back.',
    arguments: [
      new Argument(
        '<from>',
        'site, snapshot, bag or update: a directory, the root of a USB drive, a ZIP or TAR file of a bag, or the URL of a site, for example dist',
      ),
      new Argument('<to>', 'its copy, on this machine, which may be new, for example /mnt/copy'),
    ],
    load: async () => (await import('./commands/sync.ts')).syncCopies,
  },
  inbox: {
    summary: 'List what readers know, by record',
    description:
      'Read the files of contributions that readers sent, and list them by record: as Markdown, CSV and JSON with --to. Records are compared with those of the snapshot, if there is one. Nothing is published.',
    arguments: [new Argument('<files...>', 'files or directories of them, for example inbox')],
    help: exitCodes('some files could not be read'),
    load: async () => (await import('./commands/inbox.ts')).listContributions,
  },
  doctor: {
    summary: 'Show what this machine lacks, and what for',
    description:
      'Show which programs are installed, what cannot be done without those that are missing, and how much disk space is free. All commands work without them, and say what they left out.',
    load: async () => (await import('./commands/doctor.ts')).examineMachine,
  },
  translate: {
    summary: 'Write a file in which the interface can be translated',
    description:
      'Write languages/xx.json, which has the words of the interface in a language of your own, or add the texts that it lacks. Those that await translation are in English, with “? ” before their keys. Translated texts stay as they are.',
    arguments: [new Argument('<language>', 'BCP 47 tag of the language, such as de or pt-BR').argParser(interfaceLanguage)],
    load: async () => (await import('./commands/translate.ts')).translate,
  },
  completion: {
    summary: 'Print a script with which a shell completes commands',
    description:
      'Print a script with which a shell completes commands, if microfiche is in your PATH: its first line says how to use it.',
    arguments: [
      new Argument('<shell>', 'your shell; the script for PowerShell was not tried').choices([
        'bash',
        'zsh',
        'fish',
        'powershell',
      ]),
    ],
    load: async () => {
      const { printCompletion } = await import('./commands/completion.ts');
      return (shell: string) => printCompletion(shell, createProgram().commands);
    },
  },
  dev: {
    summary: 'Start the dev server over a snapshot',
    description:
      "Start Astro's dev server over a snapshot. Pages are rendered on request, and reload when a source file changes.",
    load: async () => (await import('./commands/dev.ts')).startDev,
  },
  mirror: {
    summary: 'Harvest the embedded sample archive and build its site',
    description:
      'Run all steps on the embedded sample archive: serve it as upstream, harvest it over HTTP, download its media files and build the site.',
    load: async () => (await import('./commands/mirror.ts')).mirrorSample,
  },
} satisfies Record<string, Description>;

type CommandName = keyof typeof COMMANDS;

const HELP_OPTION = ['-h, --help', 'Display help for this command'] as const;

/** Returns a command, by default with its options. It passes its exit code to `onExit`. */
export function createCommand(name: CommandName, onExit: (code: number) => void = () => undefined, hasOptions = true): Command {
  const { summary, description, load, ...more }: Description = COMMANDS[name];
  const command = new Command(name)
    .summary(summary)
    .description(description)
    .allowExcessArguments() // which program.ts reports
    .addHelpText('after', more.help ?? '');
  for (const argument of more.arguments ?? []) command.addArgument(argument);
  if (hasOptions) addOptions(command);
  const help = command.createHelp();
  const given = more.arguments?.map((argument) => `  ${argument.name()}: ${help.argumentDescription(argument)}`);
  if (given) command.showHelpAfterError([`Usage: npx --no-install microfiche ${name} ${command.usage()}`, ...given].join('\n'));
  return command.helpOption(...HELP_OPTION).action(async (...given: unknown[]) => {
    const run = (await load()) as (...given: unknown[]) => Outcome;
    const { report, lines = [], exitCode = EXIT_CODES.success, error } = await run(...given);
    const printed = command.opts<{ json?: boolean }>().json ? (report ? [JSON.stringify(report)] : []) : lines;
    for (const line of printed) console.log(line);
    if (error) throw error;
    onExit(exitCode);
  });
}

/**
 * Returns the program with all commands. A command that runs passes its exit code to `onExit`. If `called` is the name of a
 * command, only that one has its options: making those of all takes as long as starting Node.
 */
export function createProgram(onExit?: (code: number) => void, called?: string): Command {
  const program = new Command('microfiche')
    .description("Turns an archive's JSON API into an offline copy: a static, searchable website.")
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption(...HELP_OPTION)
    .helpCommand('help [command]', 'Display help for a command')
    .addHelpText('after', '\nWhere messages say "microfiche", type "npx --no-install microfiche". Exit codes: docs/reports.md.')
    .showHelpAfterError('(use --help to list the commands)');
  const names = Object.keys(COMMANDS) as CommandName[];
  const isOneCalled = names.includes(called as CommandName);
  for (const name of names) program.addCommand(createCommand(name, onExit, !isOneCalled || name === called));
  return program;
}
