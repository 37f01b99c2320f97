/** Parts of css-tree that are loaded alone, which is faster. Its types are those of the whole. */
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}
declare module 'css-tree/utils' {
  export { ident } from 'css-tree';
}
