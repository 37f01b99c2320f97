/** Parses the Markdown of own pages: front matter, directives, links, images and words, each with its line. Astro renders the same text. */
import type { Nodes, Root, Yaml } from 'mdast';
import { markdownToMdast } from 'satteri';
import { LineCounter, parseDocument } from 'yaml';
import { type Embed, parseDirective } from './directives.ts';
import { type FrontMatter, findFrontMatterProblem, frontMatterSchema } from './front-matter.ts';
import { MARKDOWN_FEATURES } from './markdown-features.ts';

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
  const [error] = document.errors;
  if (error) {
    const [message = ''] = error.message.split('\n');
    const line = first - 1 + lines.linePos(error.pos[0]).line;
    problems.push({ line, problem: `front matter is not valid YAML: ${message.replace(/ at line \d+, column \d+:?$/, '')}.` });
    return undefined;
  }
  const value: unknown = document.toJS() ?? {};
  const found = findFrontMatterProblem(value);
  if (!found) return frontMatterSchema.parse(value);
  const lineOf = (field: string) => {
    const pair = (document.contents as { items?: Array<{ key?: { value?: unknown; range?: [number, ...number[]] } }> } | null)
      ?.items;
    const range = pair?.find(({ key }) => key?.value === field)?.key?.range;
    return range ? first - 1 + lines.linePos(range[0]).line : 1;
  };
  problems.push({ line: found.field === undefined ? 1 : lineOf(found.field), problem: found.problem });
  return undefined;
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
  const addProblem = (problem: string) => void parsed.problems.push({ line: lineOf(node), problem });
  switch (node.type) {
    case 'yaml':
    case 'html':
      return;
    case 'text':
    case 'inlineCode':
    case 'code':
      words.push(node.value);
      if (node.type === 'code') words.push('\n');
      return;
    case 'textDirective':
      words.push(source.slice(node.position?.start.offset, node.position?.end.offset));
      return;
    case 'leafDirective': {
      const embed = parseDirective({ name: node.name, attributes: node.attributes ?? {} });
      if ('problem' in embed) addProblem(embed.problem);
      else if (!context.isTop) addProblem(`::${node.name} must be between paragraphs, not in a list, quotation or table`);
      else parsed.embeds.push({ line: lineOf(node), embed });
      break;
    }
    case 'containerDirective':
      return addProblem(
        `there is no directive ":::${node.name}". Directives have two colons and one line, as in ::picture{id=demo-org-1-2}`,
      );
    case 'paragraph': {
      const [image] = node.children;
      if (image?.type === 'image' && node.children.length === 1 && context.isTop) {
        parsed.embeds.push({ line: lineOf(node), embed: { kind: 'image', src: image.url, alt: image.alt ?? '' } });
        words.push(image.title ?? '', '\n');
        return;
      }
      break;
    }
    case 'image':
    case 'imageReference':
      return addProblem(
        'an image must be a paragraph of its own, between blank lines, as in ![Description](photo.jpg "Caption")',
      );
    case 'link':
    case 'definition':
      parsed.links.push({ line: lineOf(node), href: node.url });
      break;
    default:
  }
  if ('children' in node) for (const child of node.children) visit(child, { ...context, isTop: false });
  if (!INLINE.has(node.type)) words.push('\n');
}

const INLINE: ReadonlySet<string> = new Set([
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
  'footnoteReference',
  'tableCell',
]);
