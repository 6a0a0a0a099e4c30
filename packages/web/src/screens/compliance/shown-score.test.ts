import type { ComplianceResult } from '@winnow/contract/compliance';
import { expect, test } from 'vitest';
import { NOT_EVALUATED } from '../../features/compliance/score.ts';
import { improveRefusal, partText, toneOf } from './shown-score.ts';

function scored(compliance_factor: number, judged_share = 1, ai_model_id: string | null = null) {
  return {
    id: 'result',
    issue_id: 'issue',
    prompt_id: 'dor_compliance_v1',
    name: 'Definition of Ready',
    short_name: 'DoR',
    state: 'evaluated',
    compliance_factor,
    judged_share,
    reason: '',
    suggestion: null,
    criteria: [],
    estimate: null,
    ai_model_id,
    instead_of: null,
    ai_model_name: 'Built-in analyst',
    evaluated_at: null,
    stale: false,
  } satisfies ComplianceResult;
}

test('refuses to improve issues with a score of 0 or 1, and explains why', () => {
  expect(improveRefusal(scored(0))).toBe(NOT_EVALUATED);
  expect(improveRefusal(scored(1))).toBe('This issue meets every criterion already.');
  expect(improveRefusal(scored(1, 0.25))).toBe('This issue meets every criterion that could be judged.');
  expect([scored(0.01), scored(0.99), null, 'failed' as const].map(improveRefusal)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('states that a score is partial and gives it a neutral tone', () => {
  expect(partText(scored(0.94, 0.25))).toBe(
    'Based on criteria worth 25% of the score. The others need a language model.',
  );
  expect(partText(scored(0.94, 0.25, 'model'))).toBe('Based on criteria worth 25% of the score.');
  expect([toneOf(scored(0.94, 0.25)), toneOf(scored(0.94))]).toEqual(['neutral', 'success']);
  expect([partText(scored(0.94)), partText(null), partText('failed')]).toEqual([null, null, null]);
});
