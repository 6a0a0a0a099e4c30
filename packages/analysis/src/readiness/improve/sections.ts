import type { Topic } from '../topics.ts';
import type { CheckId } from '../types.ts';

/** Id of a section in an improved description. */
export type SectionId =
  | 'happens'
  | 'expected'
  | 'steps'
  | 'goal'
  | 'acceptance'
  | 'scope'
  | 'dependencies'
  | 'approach'
  | 'notes';

export interface SectionForm {
  id: SectionId;
  heading: string;
  /** Question that an empty section gets. Null if the section may be empty. */
  question: string | null;
  /** The check that scores this information. It searches the whole issue. */
  check: CheckId | null;
}

const notes: SectionForm = { id: 'notes', heading: 'Notes', question: null, check: null };

const ofBug: readonly SectionForm[] = [
  {
    id: 'happens',
    heading: 'What happens',
    question: 'What happens, in what situation, and what is visible?',
    check: 'goal',
  },
  { id: 'expected', heading: 'Expected', question: 'What should happen instead?', check: 'goal' },
  {
    id: 'steps',
    heading: 'Steps to reproduce',
    question: 'Which steps lead to it, from the start?',
    check: 'acceptance',
  },
  {
    id: 'acceptance',
    heading: 'Acceptance criteria',
    question: 'How can a tester verify that it is fixed?',
    check: 'acceptance',
  },
  notes,
];

const ofOthers: readonly SectionForm[] = [
  {
    id: 'goal',
    heading: 'Goal',
    question: 'What should be different afterwards, for whom, and why does it matter?',
    check: 'goal',
  },
  {
    id: 'acceptance',
    heading: 'Acceptance criteria',
    question: 'How can a tester verify that it is done?',
    check: 'acceptance',
  },
  {
    id: 'scope',
    heading: 'Scope',
    question: 'What is in scope, and what is not?',
    check: 'scope',
  },
  {
    id: 'dependencies',
    heading: 'Dependencies',
    question: 'What does it depend on, if anything?',
    check: 'dependencies',
  },
  {
    id: 'approach',
    heading: 'Approach',
    question: 'How can it be done, or where would you begin to look?',
    check: 'approach',
  },
  notes,
];

/** Returns the sections of a description, in order. */
export function formOf(isBug: boolean): readonly SectionForm[] {
  return isBug ? ofBug : ofOthers;
}

const BUG_TOPICS: Readonly<Partial<Record<Topic, SectionId>>> = {
  facts: 'happens',
  goal: 'happens',
  steps: 'steps',
  expected: 'expected',
  acceptance: 'acceptance',
};
const OTHER_TOPICS: Readonly<Partial<Record<Topic, SectionId>>> = {
  facts: 'goal',
  goal: 'goal',
  expected: 'acceptance',
  acceptance: 'acceptance',
  scope: 'scope',
  bounds: 'scope',
  dependencies: 'dependencies',
  approach: 'approach',
};

/** Returns the section for text under a heading about this topic. */
export function sectionOfTopic(topic: Topic, isBug: boolean): SectionId {
  return (isBug ? BUG_TOPICS : OTHER_TOPICS)[topic] ?? 'notes';
}
