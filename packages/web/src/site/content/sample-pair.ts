/** A piece of text. It is either plain text or a numbered passage that both texts share. */
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
  similarity: 0.8021,
  verdict: 'Duplicate',
  parts: [
    { name: 'Title', share: 1 },
    { name: 'Body', share: 0.46 },
    { name: 'Error text', share: 0.62 },
  ],
  older: {
    key: 'skua/web#649',
    title: "TypeError: Cannot read properties of undefined (reading 'etag') when renaming a file",
    author: 'okonjo-qa',
    lines: [
      {
        kind: 'text',
        pieces: [
          'Renaming a file right after uploading it in the browser fails, the name jumps back. ',
          { shared: 1, text: 'Chrome' },
          ' 120; ',
          { shared: 2, text: 'Firefox' },
          ' says that it ',
          { shared: 3, text: "can't access" },
          ' the ',
          { shared: 4, text: 'property' },
          '.',
        ],
      },
      {
        kind: 'code',
        pieces: [
          { shared: 5, text: 'TypeError' },
          ': ',
          { shared: 6, text: 'Cannot read properties of undefined' },
          " (reading '",
          { shared: 7, text: 'etag' },
          "')",
        ],
      },
      { kind: 'gap', pieces: ['3 more lines'] },
      {
        kind: 'text',
        pieces: [
          'The row of a fresh upload has a temporary id until the listing is fetched again. ',
          { shared: 8, text: 'applyRename' },
          ' looks the row up by the final id and finds nothing.',
        ],
      },
      { kind: 'text', pieces: ['1. Upload a file by drag and ', { shared: 9, text: 'drop' }, '.'] },
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
          { shared: 9, text: 'Drop' },
          ' a file into the list, rename it straight away, the old name comes back after a second. Console:',
        ],
      },
      {
        kind: 'code',
        pieces: [
          'Uncaught (in promise) ',
          { shared: 5, text: 'TypeError' },
          ': ',
          { shared: 3, text: "can't access" },
          ' ',
          { shared: 4, text: 'property' },
          ' "',
          { shared: 7, text: 'etag' },
          '", n is undefined',
        ],
      },
      { kind: 'code', pieces: [{ shared: 8, text: 'applyRename' }, ' FileList.ts:212'] },
      { kind: 'code', pieces: ['submit RenameDialog.tsx:64'] },
      {
        kind: 'text',
        pieces: [
          { shared: 2, text: 'Firefox' },
          ' 126 on Linux. ',
          { shared: 1, text: 'Chrome' },
          ' prints "',
          { shared: 6, text: 'Cannot read properties of undefined' },
          '" instead. If I wait some seconds or reload before renaming, it is OK.',
        ],
      },
    ],
  },
};
