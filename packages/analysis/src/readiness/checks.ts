import { acceptanceOf } from './checks/acceptance.ts';
import { approachOf } from './checks/approach.ts';
import { amountOf, breadthOf } from './checks/complexity.ts';
import { dependenciesOf } from './checks/dependencies.ts';
import { depthOf } from './checks/depth.ts';
import { estimableOf } from './checks/estimable.ts';
import { goalOf } from './checks/goal.ts';
import { blastRadiusOf, outsideOf, reversibilityOf } from './checks/risk.ts';
import { scopeOf } from './checks/scope.ts';
import { independentOf, negotiableOf, smallOf, valuableOf } from './checks/story.ts';
import { unknownsOf } from './checks/unknowns.ts';
import type { Checked } from './finding.ts';
import type { Reading } from './read-issue.ts';
import type { CheckId } from './types.ts';

/** Everything the built-in analyst can look for. */
export const checks: Readonly<Record<CheckId, (reading: Reading) => Checked>> = {
  goal: goalOf,
  acceptance: acceptanceOf,
  scope: scopeOf,
  dependencies: dependenciesOf,
  approach: approachOf,
  estimable: estimableOf,
  independent: independentOf,
  negotiable: negotiableOf,
  valuable: valuableOf,
  small: smallOf,
  blast_radius: blastRadiusOf,
  reversibility: reversibilityOf,
  unknowns: unknownsOf,
  outside: outsideOf,
  amount: amountOf,
  breadth: breadthOf,
  depth: depthOf,
};
