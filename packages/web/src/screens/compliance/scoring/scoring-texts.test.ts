import type { ComplianceRun } from '@winnow/contract/compliance';
import { expect, test } from 'vitest';
import { costText, progressText } from './scoring-texts.ts';

const RUN: ComplianceRun = {
  id: '00000000-0000-4000-8000-000000000001',
  project_id: '00000000-0000-4000-8000-000000000002',
  prompt_id: 'dor_compliance_v1',
  status: 'opened',
  state: 'running',
  done: 1200,
  total: 2400,
  reason: null,
  started_at: '2025-01-01T00:00:00.000Z',
  ended_at: null,
};

test('sums the progress of several runs', () => {
  expect(progressText([RUN])).toBe('Scoring: 1,200 of 2,400');
  expect(progressText([RUN, { ...RUN, done: 0, total: 1 }])).toBe('Scoring: 1,200 of 2,401');
});

test('states the number of issues and model calls', () => {
  const many = { to_score: 1203, calls: 1203, ai_model_name: 'Our model' };
  expect(costText(many)).toMatch(
    /^1,203 issues have no current score.+Our model is called once per issue: 1,203 calls\./,
  );
  expect(costText({ ...many, to_score: 1, calls: 1 })).toMatch(/^1 issue has no current score.+: 1 call\./);
});
