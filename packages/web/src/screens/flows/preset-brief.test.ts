import { type BuiltinAction, type FlowPreset, flowCreate, flowPreset } from '@winnow/contract/flow';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PresetBrief } from './preset-brief.tsx';

function presetWith(actions: BuiltinAction[]): FlowPreset {
  const flow = flowCreate.parse({ name: 'Docs and tests', builtin_actions: actions });
  return flowPreset.parse({ ...flow, id: 'docs-and-tests', account_id: null, is_preset: true });
}

test('states on the card of a preset that it needs a language model, unless it has a built-in action', () => {
  const cardOf = (actions: BuiltinAction[]) =>
    renderToStaticMarkup(createElement(PresetBrief, { preset: presetWith(actions) }));
  expect(cardOf([])).toContain('Needs a language model');
  const builtIn = cardOf(['flag_duplicates']);
  expect(builtIn).toContain('Docs and tests');
  expect(builtIn).not.toContain('language model');
});
