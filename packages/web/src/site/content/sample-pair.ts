/** A piece of text: either plain, or a passage that both texts share, with its number. */
export type SharedOrNot = string | { shared: number; text: string };

/** A line of an issue's text. A `gap` stands for omitted lines. */
export interface SampleLine {
  kind: 'text' | 'code' | 'gap';
  pieces: readonly SharedOrNot[];
}

export interface SampleIssueText {
  key: string;
  title: string;
  author: string;
  lines: readonly SampleLine[];
}

/**
 * Two similar reports from the sample backlog, quoted verbatim, with the scores and the shared
 * passages that Winnow computes for them.
 */
export const SAMPLE_PAIR: {
  similarity: number;
  /** The verdict of the built-in analyst. */
  verdict: string;
  parts: readonly { name: string; share: number }[];
  older: SampleIssueText;
  newer: SampleIssueText;
} = {
  similarity: 0.6409,
  verdict: 'Overlapping',
  parts: [
    { name: 'Title', share: 0.71 },
    { name: 'Body', share: 0.33 },
    { name: 'Error text', share: 0.61 },
  ],
  older: {
    key: 'skua/web#649',
    title: "TypeError: Cannot read properties of undefined (reading 'etag') when renaming a file",
    author: 'okonjo-qa',
    lines: [
      {
        kind: 'text',
        pieces: [
          'Renaming a file right after uploading it in the browser fails, the name jumps back. Chrome 120.',
        ],
      },
      {
        kind: 'code',
        pieces: [
          { shared: 1, text: 'TypeError' },
          ': Cannot read ',
          { shared: 2, text: 'properties' },
          ' of ',
          { shared: 3, text: 'undefined' },
          " (reading '",
          { shared: 4, text: 'etag' },
          "')",
        ],
      },
      { kind: 'gap', pieces: ['3 more lines'] },
      {
        kind: 'text',
        pieces: [
          'The row of a fresh upload has a temporary id until the listing is fetched again. ',
          { shared: 5, text: 'applyRename' },
          ' looks the row up by the final id and finds nothing.',
        ],
      },
      { kind: 'text', pieces: ['1. Upload a file by drag and ', { shared: 6, text: 'drop' }, '.'] },
      { kind: 'text', pieces: ['2. Press F2 within two seconds and enter another name.'] },
    ],
  },
  newer: {
    key: 'skua/web#738',
    title: 'TypeError: can\'t access property "etag" when renaming a file after upload (Firefox)',
    author: 'fjordfisk',
    lines: [
      {
        kind: 'text',
        pieces: [
          { shared: 6, text: 'Drop' },
          ' a file into the list, rename it straight away, the old name comes back after a second. Console:',
        ],
      },
      {
        kind: 'code',
        pieces: [
          'Uncaught (in promise) ',
          { shared: 1, text: 'TypeError' },
          ": can't access ",
          { shared: 2, text: 'property' },
          ' "',
          { shared: 4, text: 'etag' },
          '", n is ',
          { shared: 3, text: 'undefined' },
        ],
      },
      { kind: 'code', pieces: [{ shared: 5, text: 'applyRename' }, ' FileList.ts:212'] },
      { kind: 'code', pieces: ['submit RenameDialog.tsx:64'] },
      {
        kind: 'text',
        pieces: ['Firefox 126 on Linux. If I wait some seconds or reload before renaming, it is OK.'],
      },
    ],
  },
};
