/** Types for the parts of webvtt-parser (W3C) that we use. The npm package has no types. */
declare module 'webvtt-parser' {
  export interface CueNode {
    type: 'text' | 'object' | 'timestamp';
    /** The text; for an element, its annotation. */
    value: string;
    name?: string;
    children?: CueNode[];
  }
  interface Cue {
    startTime: number;
    endTime: number;
    tree: { children: CueNode[] };
  }
  const webvtt: {
    WebVTTParser: new (
      entities: Record<string, unknown>,
    ) => { parse(text: string, kind: 'subtitles'): { cues: Cue[]; errors: unknown[] } };
  };
  export default webvtt;
}
