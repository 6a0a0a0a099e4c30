import { type FlowPreset, flowCreate, flowUpdate } from '@winnow/contract/flow';
import { describe, expect, test } from 'vitest';
import { createBody, fieldsOf, policiesFor, updateBody, valuesOfPreset, withPolicy } from './form-values.ts';

const empty = valuesOfPreset(null, null);

test('selects the default model for a preset without built-in actions', () => {
  const preset = {
    ...flowCreate.parse({ name: 'Plan' }),
    id: 'plan',
    account_id: null,
    is_preset: true as const,
  };
  const modelOf = (changes: Partial<FlowPreset>) =>
    valuesOfPreset({ ...preset, ...changes }, 'm').ai_model_id;
  expect(modelOf({ prompt_template: 'Plan.' })).toBe('m');
  expect(modelOf({ builtin_actions: ['report_backlog'], prompt_template: 'Report.' })).toBeNull();
  expect(valuesOfPreset(null, 'm').ai_model_id).toBeNull();
});

describe('request body', () => {
  test('omits blank fields of a new flow, but sends null for blank numbers', () => {
    const body = createBody({ ...empty, name: 'Triage', description: '  ' });
    const numbers = { max_iterations: null, max_budget: null, max_tokens: null, trigger_cluster_size: null };
    expect(body).toMatchObject({ name: 'Triage', ...numbers });
    for (const name of ['description', 'prompt_template', 'trigger_event_type', 'ai_model_id']) {
      expect(body).not.toHaveProperty(name);
    }
    expect(flowCreate.safeParse(body).success).toBe(true);
  });

  test('clears emptied fields of an existing flow', () => {
    const body = updateBody({ ...empty, name: 'Triage' });
    expect(body).toMatchObject({ description: null, prompt_template: null, trigger_event_type: null });
    expect(flowUpdate.safeParse(body).success).toBe(true);
  });

  test('includes even an empty name, so that the server reports it as missing', () => {
    expect(createBody(empty)).toHaveProperty('name', '');
  });
});

test('lists a field for each filter, so that the form can show server errors beside it', () => {
  const filter = { field: 'title', op: 'matches', value: '(' } as const;
  expect(fieldsOf({ ...empty, trigger_filters: [filter, filter] })).toContain('trigger_filters.1.value');
});

test('stores every selected policy, even the default, because defaults of external servers can change', () => {
  const denied = withPolicy({}, 'Notes/act', 'deny');
  expect(denied).toEqual({ 'Notes/act': 'deny' });
  expect(withPolicy(denied, 'Notes/act', 'ask')).toEqual({ 'Notes/act': 'ask' });
});

test('does not offer approval for read-only tools of Winnow', () => {
  expect(policiesFor({ isOwn: true, isReading: true })).toEqual(['allow', 'deny']);
  expect(policiesFor({ isOwn: false, isReading: true })).toContain('ask');
  expect(policiesFor({ isOwn: true, isReading: false })).toContain('ask');
});
