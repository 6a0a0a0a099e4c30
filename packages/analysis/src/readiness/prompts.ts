import type { CheckId, Criterion } from './types.ts';

/**
 * A criterion with a check. `description` says what earns the maximum score. It is also sent to
 * language models.
 */
interface BuiltInCriterion extends Criterion {
  check: CheckId;
  description: string;
}

/** A prompt that is available without configuration. */
export interface BuiltInPrompt {
  id: string;
  name: string;
  /** Title of the column that displays the score of this prompt. */
  shortName: string;
  description: string;
  /** Criteria of the prompt. The sum of their weights is 1. */
  criteria: readonly BuiltInCriterion[];
}

function criterion(
  id: string,
  name: string,
  weight: number,
  description: string,
  check: CheckId,
): BuiltInCriterion {
  return { id, name, weight, description, check };
}

const ESTIMABLE =
  'Someone who knows the product could estimate the work: a size is stated, or the steps are known and few. Open questions and vagueness lower the score.';
const TESTABLE =
  'It says how a tester can verify it: criteria, expected behavior, numbers. A bug has steps to reproduce it and the expected result.';
const UNKNOWNS =
  'Nothing is left to find out before work can start. Every open question, guess and “to be decided” lowers the score, and so does a text too short to judge.';

const definitionOfReady: BuiltInPrompt = {
  id: 'dor_compliance_v1',
  name: 'Definition of Ready',
  shortName: 'DoR',
  description: 'How ready an issue is for a developer to start on it.',
  criteria: [
    criterion(
      'goal',
      'Goal clarity',
      0.25,
      'It says what should be different afterwards, for whom, and why that matters. A bug says what happens, in what situation, and what should happen instead.',
      'goal',
    ),
    criterion('acceptance', 'Acceptance criteria', 0.25, TESTABLE, 'acceptance'),
    criterion(
      'scope',
      'Scope',
      0.15,
      'It is one piece of work with clear limits: it says what is in scope and what is not, or is so narrow that its scope is obvious.',
      'scope',
    ),
    criterion(
      'dependencies',
      'Dependencies identified',
      0.1,
      'It names its dependencies (issues, teams, decisions, services), or says that there are none. If none are stated and none seem to be needed, the score is half; if something is clearly needed but not named, it is low.',
      'dependencies',
    ),
    criterion(
      'approach',
      'Approach',
      0.15,
      'It says how it can be done or where to look: the cause, the component or file, a decision, or an outline of the solution.',
      'approach',
    ),
    criterion('estimable', 'Estimable', 0.1, ESTIMABLE, 'estimable'),
  ],
};

const invest: BuiltInPrompt = {
  id: 'invest_compliance_v1',
  name: 'INVEST',
  shortName: 'INVEST',
  description:
    'How well an issue is written as a story: independent, negotiable, valuable, estimable, small, testable.',
  criteria: [
    criterion(
      'independent',
      'Independent',
      0.15,
      'It can be worked on and delivered independently: it depends on no other issue, team or decision, or says so.',
      'independent',
    ),
    criterion(
      'negotiable',
      'Negotiable',
      0.15,
      'It says what is needed and why, and leaves the solution to the developers; any implementation it mentions is a proposal, not a requirement.',
      'negotiable',
    ),
    criterion('valuable', 'Valuable', 0.2, 'It says who benefits when it is done, and how.', 'valuable'),
    criterion('estimable', 'Estimable', 0.15, ESTIMABLE, 'estimable'),
    criterion(
      'small',
      'Small',
      0.15,
      'It is a few days of work at most: it asks for few things, and they touch few parts of the product.',
      'small',
    ),
    criterion('testable', 'Testable', 0.2, TESTABLE, 'acceptance'),
  ],
};

const risk: BuiltInPrompt = {
  id: 'risk_assessment_v1',
  name: 'Risk',
  shortName: 'Risk',
  description: 'How safe the work is: 1 is low risk, 0 is high risk.',
  criteria: [
    criterion(
      'blast_radius',
      'Blast radius',
      0.3,
      'It touches no area in which a mistake is costly: stored data, money, security and sign-in, migrations, public interfaces, or features that everyone uses.',
      'blast_radius',
    ),
    criterion(
      'reversibility',
      'Reversibility',
      0.2,
      'It can be reverted: it deletes or converts nothing permanently, or says how it is switched off, rolled back or restored.',
      'reversibility',
    ),
    criterion('unknowns', 'Unknowns', 0.2, UNKNOWNS, 'unknowns'),
    criterion(
      'outside_dependencies',
      'Outside dependencies',
      0.15,
      'It needs nothing from other teams, vendors or services, or what it needs is available already.',
      'outside',
    ),
    criterion('verification', 'Verification', 0.15, TESTABLE, 'acceptance'),
  ],
};

const complexity: BuiltInPrompt = {
  id: 'complexity_v1',
  name: 'Complexity',
  shortName: 'Complexity',
  description:
    'How small the work is: 1 is a small change, 0 a large one. Gives an estimate in story points.',
  criteria: [
    criterion('amount', 'Amount', 0.3, 'It asks for one thing that takes few steps.', 'amount'),
    criterion(
      'breadth',
      'Breadth',
      0.25,
      'One part of the product changes: one layer, one platform, one screen or one service.',
      'breadth',
    ),
    criterion(
      'depth',
      'Depth',
      0.2,
      'It adjusts something that exists, such as a text, a setting or a check. New protocols, storage formats, concurrency, cryptography and rewrites are deep.',
      'depth',
    ),
    criterion('unknowns', 'Unknowns', 0.15, UNKNOWNS, 'unknowns'),
    criterion(
      'coordination',
      'Coordination',
      0.1,
      'No one outside the team has to deliver or decide anything for it.',
      'outside',
    ),
  ],
};

/** The prompts that Winnow contains. The first is the default. */
export const builtInPrompts: readonly BuiltInPrompt[] = [definitionOfReady, invest, risk, complexity];
