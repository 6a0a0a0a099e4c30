import type { CompliancePrompt, ComplianceTrialResult, CriterionCheck } from '@winnow/contract/compliance';
import { isFullyMet } from '../../../features/compliance/score.ts';
import type { TemplateSection } from './questions.ts';

/** Kinds of issues. Each kind has a template. */
export type TemplateKind = 'bug' | 'feature' | 'task';

/** Template section, and the checks of the criteria that it helps to meet. */
type Section = TemplateSection & { checks: readonly CriterionCheck[] };

const SCOPE: Section = {
  heading: 'Scope',
  question: 'What is in scope, and what is not?',
  checks: ['scope', 'small', 'amount', 'breadth'],
};
const DEPENDENCIES: Section = {
  heading: 'Dependencies',
  question: 'What does it depend on, if anything?',
  checks: ['dependencies', 'independent', 'outside'],
};
const APPROACH_SECTION: Section = {
  heading: 'Approach',
  question: 'How can it be done, or where would you begin to look?',
  checks: ['approach', 'negotiable', 'unknowns', 'estimable'],
};
const RISKS: Section = {
  heading: 'Risks',
  question: 'What can go wrong, and how is it rolled back?',
  checks: ['blast_radius', 'reversibility', 'depth'],
};

const SECTIONS: Record<TemplateKind, readonly Section[]> = {
  bug: [
    {
      heading: 'What happens',
      question: 'What happens, and in what situation?',
      checks: ['goal', 'valuable'],
    },
    { heading: 'Expected', question: 'What should happen instead?', checks: ['goal'] },
    {
      heading: 'Steps to reproduce',
      question: 'Which steps lead to it, from the start?',
      checks: ['acceptance', 'estimable'],
    },
    {
      heading: 'Acceptance criteria',
      question: 'How can a tester verify that it is fixed?',
      checks: ['acceptance'],
    },
    SCOPE,
    DEPENDENCIES,
    APPROACH_SECTION,
    RISKS,
  ],
  feature: [
    {
      heading: 'Goal',
      question: 'What should be different afterwards, for whom, and why does it matter?',
      checks: ['goal', 'valuable'],
    },
    {
      heading: 'Acceptance criteria',
      question: 'How can a tester verify that it is done?',
      checks: ['acceptance'],
    },
    SCOPE,
    DEPENDENCIES,
    APPROACH_SECTION,
    RISKS,
  ],
  task: [
    { heading: 'Goal', question: 'What needs to be done, and why?', checks: ['goal', 'valuable'] },
    {
      heading: 'Acceptance criteria',
      question: 'What must be true when it is done?',
      checks: ['acceptance'],
    },
    SCOPE,
    DEPENDENCIES,
    APPROACH_SECTION,
    RISKS,
  ],
};

/** Returns the template kind for an issue type, as named by the tracker. */
export function templateKind(issueType: string): TemplateKind {
  if (/bug|defect|fault|error|incident|regression/i.test(issueType)) return 'bug';
  return /feature|story|epic|enhancement|improvement|request/i.test(issueType) ? 'feature' : 'task';
}

/** Returns the template sections for criteria that the texts do not meet. */
export function templateSections(
  kind: TemplateKind,
  { criteria }: Pick<CompliancePrompt, 'criteria'>,
  found: ComplianceTrialResult['criteria'],
): TemplateSection[] {
  const failed = criteria.filter(({ id }) => {
    const result = found.find((one) => one.id === id);
    return result !== undefined && result.fix !== null && !isFullyMet(result.score);
  });
  const checks = new Set(failed.map(({ check }) => check));
  return SECTIONS[kind].filter((section) => section.checks.some((check) => checks.has(check)));
}
