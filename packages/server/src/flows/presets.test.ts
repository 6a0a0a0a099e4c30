import { BUILTIN_ACTIONS, FLOW_EVENTS, FLOW_ICONS, flowDefinition, flowPreset } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { describe, expect, test } from 'vitest';
import { createFence } from '../ai/fence.ts';
import { type FlowReferences, problemsOnSaving } from './definition-problems.ts';
import { SHIPPED_PRESETS } from './presets.ts';
import { renderTemplate } from './template.ts';
import { factsWith } from './testing/facts.ts';

const MODEL = '66666666-6666-4666-8666-666666666666';
const NOWHERE = { trigger_event_source: null, trigger_organization_id: null, trigger_project_id: null };
const REFERENCES: FlowReferences = {
  tracker: null,
  organization: null,
  project: null,
  hasOrganization: false,
  hasProject: false,
  model: { is_offered: false },
  customModelsRefusal: null,
  servers: [MCP_SERVER_NAME],
};

test('has six built-in presets with distinct names', () => {
  expect(SHIPPED_PRESETS).toHaveLength(6);
  expect(new Set(SHIPPED_PRESETS.map(({ id }) => id)).size).toBe(6);
  expect(new Set(SHIPPED_PRESETS.map(({ name }) => name)).size).toBe(6);
});

describe.each(SHIPPED_PRESETS)('the preset $id', (preset) => {
  const { id: _, account_id, ...rest } = preset;
  const prompt = preset.prompt_template ?? '';

  test('matches the contract and belongs to no account', () => {
    expect(flowPreset.strict().parse(preset)).toEqual(preset);
    expect(account_id).toBeNull();
    expect(FLOW_ICONS).toContain(preset.icon);
    expect(Object.keys(FLOW_EVENTS)).toContain(preset.trigger_event_type);
    expect(Object.keys(BUILTIN_ACTIONS)).toEqual(expect.arrayContaining(preset.builtin_actions));
  });

  test('produces a flow that can be saved, for a model and for the built-in analyst', () => {
    const forModel = { ...rest, ...NOWHERE, is_enabled: true, ai_model_id: MODEL };
    expect(problemsOnSaving(flowDefinition.parse(forModel), REFERENCES)).toEqual([]);
    if (preset.builtin_actions.length === 0) return;
    const forAnalyst = flowDefinition.parse({ ...forModel, ai_model_id: null });
    expect(problemsOnSaving(forAnalyst, REFERENCES)).toEqual([]);
  });

  test('mentions only tools that exist and are allowed', () => {
    const named = [...prompt.matchAll(/`([a-z_]+)`/g)].map(([, tool]) => tool);
    expect(named.length).toBeGreaterThan(0);
    expect(FLOW_TOOLS).toEqual(expect.arrayContaining(named));
    for (const tool of named)
      expect([tool, preset.tool_policies[`winnow/${tool}`]]).toEqual([tool, undefined]);
  });

  test('allows only writing tools that its prompt or built-in actions use', () => {
    const needed = preset.builtin_actions.includes('find_dependencies') ? ['commit_dependency'] : [];
    for (const tool of FLOW_TOOLS.filter((name) => !isReadingTool(name))) {
      const isDenied = preset.tool_policies[`winnow/${tool}`] === 'deny';
      const hasUse = prompt.includes(`\`${tool}\``) || needed.includes(tool);
      expect([tool, isDenied]).toEqual([tool, !hasUse]);
    }
  });

  test('leaves no variable unresolved in its prompt', () => {
    const fence = createFence();
    const rendered = renderTemplate(prompt, factsWith(), fence);
    expect(rendered).not.toContain('{{');
    expect(rendered.split(fence.boundary).length % 2).toBe(1);
  });
});
