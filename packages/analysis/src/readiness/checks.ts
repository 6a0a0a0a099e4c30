import { amountOf, breadthOf } from './checks/complexity.ts';
import { dependenciesOf } from './checks/dependencies.ts';
import { depthOf } from './checks/depth.ts';
import { blastRadiusOf, outsideOf, reversibilityOf } from './checks/risk.ts';
import { independentOf, negotiableOf, smallOf, valuableOf } from './checks/story.ts';
import { unknownsOf } from './checks/unknowns.ts';
import type { CheckResult } from './criterion-score.ts';
import type { Reading } from './read-issue.ts';
import { calibrated } from './score-calibration.ts';
import type { CheckId } from './types.ts';

/** All checks of the built-in analyst by id. Each scores one aspect of an issue. */
export const checks: Readonly<Record<CheckId, (reading: Reading) => CheckResult>> = {
  goal: calibrated('goal'),
  acceptance: calibrated('acceptance'),
  scope: calibrated('scope'),
  dependencies: dependenciesOf,
  approach: calibrated('approach'),
  estimable: calibrated('estimable'),
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
