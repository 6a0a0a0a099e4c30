import { SLIDES, type Slide } from './slides.ts';

/** Texts of a feature page. */
export interface Feature {
  /** Slide of the landing page about the same feature. It provides the title and the image. */
  slide: Slide;
  lead: string;
  points: readonly { title: string; text: string }[];
  /** Instructions for using the feature, step by step. */
  steps: readonly string[];
}

function slideOf(href: string): Slide {
  const slide = SLIDES.find((candidate) => candidate.href === href);
  if (slide === undefined) throw new Error(`No slide links to ${href}.`);
  return slide;
}

export const DUPLICATES: Feature = {
  slide: slideOf('/features/duplicates'),
  lead: 'Winnow compares every issue with every other one, within a project or across all of your trackers, and lists similar pairs, each with its score and the reason for it.',
  points: [
    {
      title: 'Words and meaning',
      text: 'Titles, descriptions and quoted errors are compared word by word, with more weight on rare words, and by meaning, with an embedding model on your own machine.',
    },
    {
      title: 'Evidence first',
      text: 'Each pair shows how its score is composed, and marks shared passages with the same number on both sides.',
    },
    {
      title: 'Made for bug reports',
      text: 'Stack frames, form headings and templates do not count as similar, and series of near-identical tasks are not mistaken for duplicates.',
    },
    {
      title: 'Four ways to resolve',
      text: 'Close one as a duplicate, merge both into one, separate two that overlap, or mark them as unrelated. Winnow suggests the new texts, shows the source of each line, and lets you edit them.',
    },
    {
      title: 'A verdict with its reason',
      text: 'A built-in analyst judges each pair as duplicate, overlapping or unrelated, with its confidence and reason, without any AI key. Your own language model can improve the verdicts; it never acts on its own.',
    },
    {
      title: 'One key for each action',
      text: 'Move, open, close, merge, deconflict, mark as unrelated, dismiss and undo with one key each, or resolve many pairs in one step.',
    },
    {
      title: 'No write without a preview',
      text: 'Every field and comment is shown word by word before it is written. An issue that has changed in the tracker in the meantime is not overwritten, and a proposal waits until someone approves it.',
    },
    {
      title: 'Undo with one key',
      text: 'Undo restores texts, state and links and deletes the comments. The pair is not suggested again, nor is a pair whose issue was reopened manually.',
    },
    {
      title: 'On record',
      text: 'Who requested and who decided, what was written where and when, each step with before and after. On the Changes screen, and as CSV or JSON lines for audits.',
    },
  ],
  steps: [
    'Connect a tracker, or load the sample backlog. The first pairs, based on words only, are listed within seconds; meaning follows as it is computed.',
    'Filter by project, status, resolution and words, and open a pair to see both texts side by side.',
    'Choose how to resolve it. Winnow shows each write in advance, and carries them out when you agree, or keeps them as a proposal.',
    'For a long backlog, review clusters: the most valuable one first, with what is decided and what is left.',
    'Later syncs compare only what has changed.',
  ],
};

export const COMPLIANCE: Feature = {
  slide: slideOf('/features/compliance'),
  lead: 'Work that starts from a vague issue is done twice. Winnow scores each issue against a Definition of Ready, quotes its evidence, and suggests what to add.',
  points: [
    {
      title: 'Definition of Ready',
      text: 'Goal clarity, acceptance criteria, scope, dependencies, approach and estimability: one score for each, and one for the issue.',
    },
    {
      title: 'More metrics',
      text: 'INVEST for stories, a risk assessment, and implementation complexity with an estimate in story points.',
    },
    {
      title: 'Reasons you can check',
      text: 'Every criterion quotes its evidence and says how to fix what is missing.',
    },
    {
      title: 'Better titles and descriptions',
      text: 'A suggestion keeps every statement word for word, asks for what is missing and invents nothing. It lists its changes one by one, and you edit it before anything is written.',
    },
    {
      title: 'Your own metrics',
      text: 'Write custom metrics with your own criteria and weights, if your plan includes them.',
    },
    {
      title: 'The same ledger',
      text: 'Each update is shown word by word before it is written. It is recorded and can be undone.',
    },
    {
      title: 'No key needed',
      text: 'A built-in analyst scores a hundred issues in a moment, the same way each time. Your own language model reads more closely, and must quote the issue for every claim.',
    },
  ],
  steps: [
    'Choose a metric and a project to see the issues with their scores, and an overview for each project.',
    'Open an issue to see which criteria it misses, and why.',
    'Accept the suggestion or write your own, and update the tracker in one step.',
  ],
};

export const DEPENDENCIES: Feature = {
  slide: slideOf('/features/dependencies'),
  lead: 'Many blockers are never written down. Winnow reads all issues of a project together and finds those that must be finished before others can start.',
  points: [
    {
      title: 'Pairs with a direction',
      text: 'Each finding says which issue must be finished first, with a reason and a confidence.',
    },
    {
      title: 'Shown with known links',
      text: 'Links that already exist in the tracker are shown with the new ones and are not reported again.',
    },
    {
      title: 'Cycles and closed blockers',
      text: 'Issues that block each other in a cycle are marked, and closed blockers count as satisfied.',
    },
    {
      title: 'A graph of the project',
      text: 'The graph is drawn from left to right and shows the longest chain of remaining work. The same data is available as a table.',
    },
    {
      title: 'Stated and implied',
      text: 'Rules find dependencies stated in a text, in four languages, and understand negations. Dependencies implied by two texts are suggested with lower confidence; your own language model finds more of them.',
    },
    {
      title: 'Each link can be undone',
      text: 'Each link is a separate change: it is either written, or shows why not, and can be undone separately. Links that would create a cycle are not written.',
    },
  ],
  steps: [
    'Choose a project. Its issues are scanned page by page.',
    'Review the pairs, and extend the scan to issues with a similar meaning.',
    'Commit the links you agree with: they use the link types of the tracker, and count as committed only after the tracker confirms them.',
  ],
};
