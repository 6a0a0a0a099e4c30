import type { ExecutionLog } from '@winnow/contract/flow';
import { expect, test } from 'vitest';
import { actionsText, knownCost } from './flow-texts.ts';

const turn = (cost: number | null): ExecutionLog => ({
  seq: 1,
  timestamp: '2026-11-22T10:00:00.000Z',
  type: 'model_call',
  payload: { cost },
});
const spent = (budget_used: number, input: number) => ({ budget_used, tokens: { input, output: 0 } });

test.each([
  ['the built-in analyst is free', spent(0, 0), [], 0],
  ['priced turns', spent(0.02, 900), [turn(0.01), turn(0.01)], 0.02],
  ['unpriced turns', spent(0, 900), [turn(null)], null],
  ['partly unpriced turns', spent(0.01, 900), [turn(0.01), turn(null)], null],
  ['unpriced tokens before the log is loaded', spent(0, 900), [], null],
])('reports the cost of %s', (_, execution, log, cost) => {
  expect(knownCost(execution, log)).toBe(cost);
});

test('formats a number of actions in singular and plural', () => {
  expect([0, 1, 1200].map(actionsText)).toEqual(['0 actions', '1 action', '1,200 actions']);
});
