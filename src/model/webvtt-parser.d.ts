/** Types of webvtt-parser (W3C), as far as it is used here. The npm package has none. */
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
