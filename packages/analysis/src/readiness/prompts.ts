import type { CheckId, Criterion } from './types.ts';

/** A criterion with its description of full marks, which language models receive as well. */
export interface BuiltInCriterion extends Criterion {
  check: CheckId;
  description: string;
}

/** A prompt that is available without configuration. */
export interface BuiltInPrompt {
  id: string;
  name: string;
  /** Title of its score column. */
  shortName: string;
  description: string;
  /** Their weights sum to 1. */
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
  'Somebody who knows the product could say how much work it is: a size is stated, or the steps are known and few. Open questions and vagueness count against it.';
const TESTABLE =
  'It says how one can tell that it is done, so that a tester could check it: criteria, expected behavior, numbers. Of a bug, the steps to reproduce it with the result that is expected.';
const UNKNOWNS =
  'Nothing is left to find out before the work can begin. Every open question, guess and “to be decided” costs marks, and so does a text too short to tell.';

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
      'It says what should be different afterwards, for whom, and why that matters. Of a bug: what happens, in what situation, and what should happen instead.',
      'goal',
    ),
    criterion('acceptance', 'Acceptance criteria', 0.25, TESTABLE, 'acceptance'),
    criterion(
      'scope',
      'Scope',
      0.15,
      'It is one piece of work whose borders are clear: it says what belongs to it and what does not, or is so narrow that no doubt is left.',
      'scope',
    ),
    criterion(
      'dependencies',
      'Dependencies identified',
      0.1,
      'It names what it waits for or builds on (issues, teams, decisions, services), or says that there is nothing. Where nothing is said and nothing seems to be needed it is worth half; where something is clearly needed and not named, little.',
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
    'How well an issue is cut as a story: independent, negotiable, valuable, estimable, small, testable.',
  criteria: [
    criterion(
      'independent',
      'Independent',
      0.15,
      'It can be worked on and delivered by itself: it waits for no other issue, team or decision, or says that it does not.',
      'independent',
    ),
    criterion(
      'negotiable',
      'Negotiable',
      0.15,
      'It says what is needed and why, and leaves the developers room in how to do it; an implementation it names is a proposal and not an order.',
      'negotiable',
    ),
    criterion(
      'valuable',
      'Valuable',
      0.2,
      'It says who is better off when it is done, and in what way.',
      'valuable',
    ),
    criterion('estimable', 'Estimable', 0.15, ESTIMABLE, 'estimable'),
    criterion(
      'small',
      'Small',
      0.15,
      'It is a few days of work at most: few things are asked for, and they touch few parts of the product.',
      'small',
    ),
    criterion('testable', 'Testable', 0.2, TESTABLE, 'acceptance'),
  ],
};

const risk: BuiltInPrompt = {
  id: 'risk_assessment_v1',
  name: 'Risk',
  shortName: 'Risk',
  description: 'How safe it is to do the work: 1 is a low risk, 0 a high one.',
  criteria: [
    criterion(
      'blast_radius',
      'Blast radius',
      0.3,
      'It touches none of what hurts when it goes wrong: stored data, money, security and sign-in, migrations, public interfaces, or what everybody uses at once.',
      'blast_radius',
    ),
    criterion(
      'reversibility',
      'Reversibility',
      0.2,
      'It can be taken back: it deletes and converts nothing for good, or says how it is switched off, rolled back or restored.',
      'reversibility',
    ),
    criterion('unknowns', 'Unknowns', 0.2, UNKNOWNS, 'unknowns'),
    criterion(
      'outside_dependencies',
      'Outside dependencies',
      0.15,
      'It needs nothing from other teams, vendors or services, or what it needs is there already.',
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
    criterion('amount', 'Amount', 0.3, 'One thing is asked for, and it takes few steps.', 'amount'),
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
      'It adjusts what is there, such as a text, a setting or a check. New protocols, storage formats, concurrency, cryptography and rewrites are deep.',
      'depth',
    ),
    criterion('unknowns', 'Unknowns', 0.15, UNKNOWNS, 'unknowns'),
    criterion(
      'coordination',
      'Coordination',
      0.1,
      'Nobody outside the team has to deliver or decide something for it.',
      'outside',
    ),
  ],
};

/** The built-in prompts, the default first. */
export const builtInPrompts: readonly BuiltInPrompt[] = [definitionOfReady, invest, risk, complexity];
