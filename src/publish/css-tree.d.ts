/** The functions of css-tree that are used here. The package has no types. */
declare module 'css-tree' {
  /** A node of the syntax tree as a plain object. */
  export interface CssNode {
    type: string;
    name?: string;
    /** Text, or of a declaration a node. */
    value?: string | CssNode;
    /** The name of a declaration. */
    property?: string;
    /** Its position, with the option `positions`. */
    loc?: Record<'start' | 'end', { offset: number }> | null;
    prelude?: CssNode | null;
    block?: CssNode | null;
    children?: CssNode[];
  }
  /** A syntax tree whose children are linked lists. */
  export interface CssTree {
    type: string;
  }
  /** A place that is not CSS. */
  export interface CssError {
    message: string;
    /** From 1. */
    line: number;
  }
  /** Parses a style sheet. `options` say what is parsed in detail, instead of being kept as it is written. */
  export function parse(css: string, options?: Record<string, boolean | ((error: CssError) => void)>): CssTree;
  /** Calls a function with each node of a tree. */
  export function walk(tree: CssTree, visit: (node: CssNode) => void): void;
  /** Replaces the lists of a tree by arrays. */
  export function toPlainObject(tree: CssTree): CssNode;
  /** Replaces the arrays of a tree by lists. */
  export function fromPlainObject(node: CssNode): CssTree;
  /** Returns the CSS of a tree. */
  export function generate(tree: CssTree): string;
}
