/** Parses own pages' Markdown: front matter, directives, links, images, words, each with its line. Astro renders it too. */
import type { Parser } from 'htmlparser2';
import type { Image, Nodes, Paragraph, Root, Yaml } from 'mdast';
import { markdownToMdast } from 'satteri';
import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { z } from 'zod';
import { describeError } from '../../model/errors.ts';
import { isObjectId } from '../../model/ids.ts';
import { parseMarkup } from '../../model/text/markup.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { type Embed, isDirective, parseDirective } from './directives.ts';
import { MARKDOWN_FEATURES } from './embed-markup.ts';

/** Something at a line, from 1. */
export type AtLine<T> = T & { line: number };

/** A parsed text. */
export interface ParsedMarkdown {
  /** Undefined if it has problems. */
  frontMatter: FrontMatter | undefined;
  embeds: Array<AtLine<{ embed: Embed }>>;
  /** Targets of links, as written. */
  links: Array<AtLine<{ href: string }>>;
  /** All words, as plain text. */
  text: string;
  /** Clauses or sentences. */
  problems: Array<AtLine<{ problem: string }>>;
}

/** Parses a text. */
export function parseMarkdown(source: string): ParsedMarkdown {
  const root = markdownToMdast(source, { features: MARKDOWN_FEATURES }) as Root;
  const parsed: ParsedMarkdown = { frontMatter: undefined, embeds: [], links: [], text: '', problems: [] };
  const yaml = root.children.find((node): node is Yaml => node.type === 'yaml');
  parsed.frontMatter = readFrontMatter(yaml, parsed.problems);
  const words: string[] = [];
  for (const node of root.children) visit(node, { parsed, words, source, isTop: true });
  parsed.text = words
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
  return parsed;
}

function readFrontMatter(yaml: Yaml | undefined, problems: ParsedMarkdown['problems']): FrontMatter | undefined {
  const lines = new LineCounter();
  const first = 1 + (yaml?.position?.start.line ?? 0); // after the dashes
  const document = parseDocument(yaml?.value ?? '', { lineCounter: lines, schema: 'core' });
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    const line = first - 1 + lines.linePos(error.pos[0]).line;
    const problem = describeYamlMistake(error, yaml?.value ?? '');
    problems.push({ line, problem });
    return undefined;
  }
  let value: unknown;
  try {
    value = document.toJS() ?? {};
  } catch (thrown) {
    // Such as an alias ("*name") of nothing.
    problems.push({
      line: first,
      problem: `front matter is not valid YAML: ${describeError(thrown)} Put the text in quotation marks.`,
    });
    return undefined;
  }
  const found = findFrontMatterProblems(value);
  if (found.length === 0) return frontMatterSchema.parse(value);
  const lineOf = (field: string) => {
    const pair = (document.contents as { items?: Array<{ key?: { value?: unknown; range?: [number, ...number[]] } }> } | null)
      ?.items;
    const range = pair?.find(({ key }) => key?.value === field)?.key?.range;
    return range ? first - 1 + lines.linePos(range[0]).line : 1;
  };
  for (const { field, problem } of found) problems.push({ line: field === undefined ? 1 : lineOf(field), problem });
  return undefined;
}

/** Returns what is wrong in front matter, with what to do, as a clause or sentence. */
function describeYamlMistake({ code, message, pos: [offset] }: YAMLError, text: string): string {
  const [value = ''] = /^\S+/.exec(text.slice(offset)) ?? [];
  const quoted = `"${toPrintable(value, 40)}"`;
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'text with a colon and a space must be in quotation marks, as in title: "Ferry: the last boat".';
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
      return `text that begins with ${quoted} must be in quotation marks.`;
    case 'DUPLICATE_KEY':
      return `the field "${toPrintable(/^[^:\s]*/.exec(text.slice(offset))?.[0] ?? '', 40)}" is there twice. Delete one of them.`;
    case 'TAB_AS_INDENT':
      return 'a line begins with a tab. Use spaces.';
    default:
      return `front matter is not valid YAML: ${message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '')}. Put the text in quotation marks.`;
  }
}

interface Visit {
  parsed: ParsedMarkdown;
  words: string[];
  source: string;
  /** Whether the node is not in another one. */
  isTop: boolean;
}

const lineOf = (node: Nodes) => node.position?.start.line ?? 1;

function visit(node: Nodes, context: Visit): void {
  const { parsed, words, source } = context;
  if (node.type === 'html') parsed.links.push(...linksInHtml(node.value, lineOf(node)));
  if (node.type === 'yaml' || node.type === 'html') return;
  if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') words.push(node.value);
  else if (node.type === 'textDirective') {
    note(node, context);
    words.push(source.slice(node.position?.start.offset, node.position?.end.offset));
  } else if (isImageOnly(node) && context.isTop) {
    const { url, alt, title } = node.children[0];
    parsed.embeds.push({ line: lineOf(node), embed: { kind: 'image-file', src: url, alt: alt ?? '' } });
    words.push(title ?? '');
  } else {
    note(node, context);
    if (node.type === 'paragraph') noteUnread(node, context);
    if ('children' in node) for (const child of node.children) visit(child, { ...context, isTop: false });
  }
  if (!INLINE.has(node.type)) words.push('\n');
}

/** Notes what a node says, or what is wrong with it. */
function note(node: Nodes, { parsed, isTop }: Visit): void {
  const line = lineOf(node);
  const addProblem = (problem: string) => void parsed.problems.push({ line, problem });
  if (node.type === 'textDirective' && isDirective(node.name) && Object.keys(node.attributes ?? {}).length > 0)
    addProblem(`":${node.name}" must have two colons, in a paragraph of its own, as in ::${node.name}{id=demo-org-1-2}`);
  if (node.type === 'link' || node.type === 'definition') parsed.links.push({ line, href: node.url });
  if (node.type === 'image' || node.type === 'imageReference')
    addProblem('an image must be a paragraph of its own, between blank lines, as in ![Description](photo.jpg "Caption")');
  if (node.type === 'containerDirective')
    addProblem(
      `the directive ":::${node.name}" does not exist. Directives are one line with two colons, as in ::image{id=demo-org-1-2}`,
    );
  if (node.type !== 'leafDirective') return;
  const embed = parseDirective({ name: node.name, attributes: node.attributes ?? {} });
  if ('problem' in embed) addProblem(embed.problem);
  else if (isTop) parsed.embeds.push({ line, embed });
  else addProblem(`::${node.name} must be between paragraphs, not in a list, quotation or table`);
}

/** Returns the targets of links in HTML. `first` is its line. */
function linksInHtml(html: string, first: number): ParsedMarkdown['links'] {
  const links: ParsedMarkdown['links'] = [];
  let parser: Parser | undefined;
  parseMarkup(html, {
    onparserinit(own) {
      parser = own;
    },
    onopentag(name, { href }) {
      if (name !== 'a' || href === undefined) return;
      links.push({ line: first + html.slice(0, parser?.startIndex).split('\n').length - 1, href });
    },
  });
  return links;
}

/** A directive after other words of a line. */
const INLINE_DIRECTIVE = /(?<![:`])::(?:image|player|document|map|timeline|grid)(?:\[[^\]]*\])?\{/;

/** Notes lines of a paragraph that were meant as directives. */
function noteUnread(paragraph: Paragraph, { parsed, source }: Visit): void {
  const { start, end } = paragraph.position ?? {};
  for (const [i, text] of source.slice(start?.offset, end?.offset).split('\n').entries())
    if (/^\s*::+[a-z]/i.test(text) || INLINE_DIRECTIVE.test(text))
      parsed.problems.push({
        line: lineOf(paragraph) + i,
        problem: `"${toPrintable(text.trim(), 60)}" cannot be read as a directive. Write it as ::name[caption]{id=demo-org-1-2}, in a paragraph of its own, without spaces between these parts, and without braces in values`,
      });
}

function isImageOnly(node: Nodes): node is Paragraph & { children: [Image] } {
  return node.type === 'paragraph' && node.children.length === 1 && node.children[0]?.type === 'image';
}

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
const MAX_LABEL = 40;
const text = (max: number) => {
  const message = `must be text of at most ${max} characters`;
  return z
    .string({
      error({ input }) {
        if (input === null) return 'is empty: write a text';
        return typeof input === 'object' ? `${message}, not a list` : `${message}. Put numbers in quotation marks, as in "1942"`;
      },
    })
    .trim()
    .min(1, 'must not be empty')
    .max(max, message);
};
const MENU_MESSAGE = `must be true, false, or a label of at most ${MAX_LABEL} characters`;
/** Words that are meant as true or false. YAML reads the first four as text. */
const LIKE_BOOLEAN = /^(?:yes|no|on|off|true|false)$/i;
const DATE_MESSAGE = 'must be a date such as 2026-05-01';

/** Astro's reader of front matter makes an object of a date. */
const date = z
  .union([z.string(), z.date()], DATE_MESSAGE)
  .transform((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value))
  .refine((value) => /^\d{4}-\d\d-\d\d$/.test(value) && readTimestamp(value) === value, DATE_MESSAGE);

/** The front matter of a page or an exhibit. */
const frontMatterSchema = z.strictObject({
  title: text(MAX_TITLE),
  description: text(MAX_DESCRIPTION).optional(),
  menu: z
    .union([z.boolean(), text(MAX_LABEL)], MENU_MESSAGE)
    .refine((menu) => typeof menu === 'boolean' || !LIKE_BOOLEAN.test(menu), MENU_MESSAGE)
    .optional(),
  order: z.number('must be a number').optional(),
  date: date.optional(),
  image: z.string('must be the ID of a record').refine(isObjectId, 'must be the ID of a record such as demo-org-1-2').optional(),
  draft: z.boolean('must be true or false').optional(),
});

type FrontMatter = z.infer<typeof frontMatterSchema>;

/** Returns the mistakes in front matter, the first one of each field: that, if it is there, and a sentence about it. */
function findFrontMatterProblems(value: unknown) {
  const issues = frontMatterSchema.safeParse(value).error?.issues ?? [];
  const problems = issues.flatMap((issue): Array<{ field: string | undefined; problem: string }> => {
    if (issue.code === 'unrecognized_keys') {
      const known = Object.keys(frontMatterSchema.shape).join(', ');
      return issue.keys.map((key) => {
        return { field: key, problem: `the field "${key}" does not exist in front matter. The fields are ${known}.` };
      });
    }
    const field = issue.path[0] === undefined ? undefined : String(issue.path[0]);
    if (field === undefined) return [{ field, problem: 'front matter must have fields, as in "title: The quay".' }];
    const isMissing = field === 'title' && (value as Record<string, unknown>)['title'] === undefined;
    const problem = isMissing
      ? 'the title is missing: write it between lines of three dashes, as in "title: The quay".'
      : `"${field}" ${issue.message}.`;
    return [{ field: isMissing ? undefined : field, problem }];
  });
  return problems.filter(({ field }, i) => problems.findIndex((other) => other.field === field) === i);
}

/** Nodes within a line. */
const INLINE = new Set('text inlineCode textDirective emphasis strong delete link linkReference footnoteReference'.split(' '));
