import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAiModels } from './config-ai-models.ts';

const KEY = 'sk-do-not-repeat-me';
const HOUSE = { name: 'House', provider: 'openai', model: 'gpt-4o', api_key: KEY };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-models-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parse = (value: unknown) => parseAiModels(JSON.stringify(value), folder);

test('reads a list from the variable or a file, with the default address of each provider', () => {
  const local = { name: 'Local', provider: 'custom', model: 'qwen', api_url: 'http://10.0.0.5:8000/v1/' };
  const expected = [
    {
      name: 'House',
      provider: 'openai',
      identifier: 'gpt-4o',
      apiUrl: 'https://api.openai.com/v1',
      apiKey: KEY,
    },
    {
      name: 'Local',
      provider: 'custom',
      identifier: 'qwen',
      apiUrl: 'http://10.0.0.5:8000/v1',
      apiKey: '',
    },
  ];
  expect(parse([HOUSE, local])).toEqual(expected);
  writeFileSync(join(folder, 'models.json'), JSON.stringify([HOUSE, local]));
  expect(parseAiModels('models.json', folder)).toEqual(expected);
});

describe('refuses unusable values without repeating a key', () => {
  test.each([
    ['invalid JSON', `[{"api_key": "${KEY}"`, /is not valid JSON/],
    ['a path without a file', 'nowhere.json', /a file that cannot be read/],
    ['an object', `{"api_key": "${KEY}"}`, /a file that cannot be read/],
    ['an unknown field', [{ ...HOUSE, key: KEY }], /model 1: .*key/],
    ['no name', [HOUSE, { ...HOUSE, name: ' ' }], /model 2: name: Enter a name\./],
    ['no model', [{ ...HOUSE, model: '' }], /model 1: model: Enter the name of the model\./],
    ['another provider', [{ ...HOUSE, provider: KEY }], /model 1: provider: .*anthropic/],
    ['no key for a provider that needs one', [{ ...HOUSE, api_key: '' }], /api_key: Enter an API key\./],
    ['a key of two lines', [{ ...HOUSE, api_key: `${KEY}\n1` }], /api_key: .*plain characters/],
    [
      'no address for a provider without a default',
      [{ ...HOUSE, provider: 'custom' }],
      /api_url: Enter the address/,
    ],
    ['a key as a number', [{ ...HOUSE, api_key: 7 }], /model 1: api_key: /],
    ['a name twice', [HOUSE, { ...HOUSE, name: 'house' }], /two models named house/],
  ])('%s', (_what, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    let said = '';
    try {
      parseAiModels(text, folder);
    } catch (fault) {
      said = String(fault);
    }
    expect(said).toMatch(message);
    expect(said).toContain('AI_MODELS');
    expect(said).not.toContain(KEY);
  });
});
