import { SLIDES, type Slide } from './slides.ts';

/** What the page of a feature says. */
export interface Feature {
  /** Where the landing page shows it: the title, the picture and what is missing are the same. */
  slide: Slide;
  lead: string;
  points: readonly { title: string; text: string }[];
  /** How one uses it, in order. */
  steps: readonly string[];
}

function slideOf(href: string): Slide {
  const slide = SLIDES.find((candidate) => candidate.href === href);
  if (slide === undefined) throw new Error(`No slide leads to ${href}.`);
  return slide;
}

export const DUPLICATES: Feature = {
  slide: slideOf('/features/duplicates'),
  lead: 'Winnow compares every issue with every other one, within a project or across all of your trackers, and lists the pairs that look alike, with the reason beside the number.',
  points: [
    {
      title: 'Words and meaning',
      text: 'Titles, descriptions and quoted errors are compared word by word, where rare words weigh more, and by what they mean, with an embedding model on your own machine.',
    },
    {
      title: 'Evidence first',
      text: 'A pair shows what its score is made of, and marks the passages that both texts share with the same number on both sides.',
    },
    {
      title: 'Made for bug reports',
      text: 'Stack frames, form headings and templates do not make two issues alike, and series of near-identical tasks are told from duplicates.',
    },
    {
      title: 'Four ways to resolve',
      text: 'Close one as a duplicate, merge both into one, make two that overlap distinct, or call them unrelated. Merged and distinct texts are suggested, each line with the issue it came from, and yours to edit.',
    },
    {
      title: 'A verdict with its reason',
      text: 'A built-in analyst says duplicate, overlapping or unrelated, how sure it is and why, without any AI key. A language model of yours makes it better, and never acts by itself.',
    },
    {
      title: 'As quick as reading',
      text: 'Move, open, close, merge, deconflict, mark as unrelated, dismiss and undo with one key each, or decide about many pairs in one go.',
    },
    {
      title: 'Nothing behind your back',
      text: 'Every field and comment is shown word by word before it is written. An issue that has changed in the tracker meanwhile is not written over, and a proposal waits until somebody approves it.',
    },
    {
      title: 'Taken back with one key',
      text: 'Undo restores texts, state and links and deletes the comments. The pair is not suggested again, nor one whose issue a person opened again.',
    },
    {
      title: 'On record',
      text: 'Who asked, who decided, what was written where and when, each step with before and after: on the Changes screen, and as CSV or JSON lines for an audit.',
    },
  ],
  steps: [
    'Connect a tracker, or load the sample backlog. The first pairs are listed within seconds, by words alone; meaning is added as it is computed.',
    'Filter by project, status, resolution and words, and open a pair: both texts stand side by side.',
    'Choose how to resolve it. Winnow shows each write it is going to make, and makes them when you agree, or leaves them as a proposal.',
    'Later syncs compare only what has changed.',
  ],
};

export const COMPLIANCE: Feature = {
  slide: slideOf('/features/compliance'),
  lead: 'Work that starts from a vague issue is done twice. Winnow scores each issue against a Definition of Ready, quotes what it judged by, and proposes the words that are missing.',
  points: [
    {
      title: 'Definition of Ready',
      text: 'Goal clarity, acceptance criteria, scope, dependencies identified, approach, and whether it can be estimated: a score for each, and one for the issue.',
    },
    {
      title: 'Other measures',
      text: 'INVEST for stories, a risk assessment, and implementation complexity with an estimate in story points.',
    },
    {
      title: 'Reasons you can check',
      text: 'Every criterion names its evidence in the text, and what would mend it.',
    },
    {
      title: 'Better titles and descriptions',
      text: 'A suggestion keeps every statement word for word, asks for what is missing and invents nothing. It lists its changes one by one, and you edit it before anything is written.',
    },
    {
      title: 'Your own measures',
      text: 'Write a custom metric with criteria and weights where your plan has them.',
    },
    {
      title: 'The same ledger',
      text: 'An update is shown word by word before it is written, recorded, and can be undone.',
    },
    {
      title: 'No key needed',
      text: 'A built-in analyst scores a hundred issues in a moment, the same way each time. A language model of yours reads more closely, and has to quote the issue for what it says.',
    },
  ],
  steps: [
    'Choose a measure and a project: the issues are listed with their scores, and each project with how its issues stand.',
    'Open an issue, read which criteria it misses and why.',
    'Take over the suggestion, or write your own, and update the tracker in one step.',
  ],
};

export const DEPENDENCIES: Feature = {
  slide: slideOf('/features/dependencies'),
  lead: 'Much of what blocks an issue is written nowhere. Winnow reads the issues of a project together, and names those that must be finished before another one can start.',
  points: [
    {
      title: 'Pairs with a direction',
      text: 'Each finding says which issue must be finished first, with a reason and a confidence.',
    },
    {
      title: 'Beside what you know',
      text: 'Links that are in the tracker already are shown with the new ones, and are not found again.',
    },
    {
      title: 'Cycles and leftovers',
      text: 'Issues that wait for each other in a circle are marked, and blockers that are closed count as satisfied.',
    },
    {
      title: 'The whole picture',
      text: 'A graph of the project, drawn from left to right, names the longest chain of work that is left, and has a table as its equal.',
    },
    {
      title: 'Stated first',
      text: 'What a text says outright is found by rules, in four languages, and negations are understood. What only follows from two texts is offered with less confidence, and a language model of yours finds more of it.',
    },
    {
      title: 'Taken back alone',
      text: 'Each link is a change of its own in the ledger: done, or with the reason why not, and undone by itself. None that would close a circle is written.',
    },
  ],
  steps: [
    'Choose a project: its issues are scanned page by page.',
    'Read the pairs and extend the scan to the issues nearest in meaning.',
    'Commit the links you agree with: they are written in the tracker’s own way, and a link counts as committed only when the tracker says so.',
  ],
};
