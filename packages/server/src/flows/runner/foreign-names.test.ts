import { FLOW_TOOLS, isReadingTool, MCP_SCHEMAS } from '@winnow/contract/mcp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { conflict, invalid } from '../../platform/errors.ts';
import { namesOtherProject, type PlacesOfNames } from './foreign-names.ts';

const PROJECTS = [
  { id: 'own', identifier: 'acme/web', name: 'Web', tracker: 'GitHub' },
  { id: 'mirror', identifier: 'acme/web', name: 'Web', tracker: 'GitLab' },
  { id: 'other', identifier: 'corp/secret', name: 'Plans', tracker: 'GitHub' },
  { id: 'jira', identifier: 'SEC', name: 'Security', tracker: 'Jira' },
];
const OWN_12 = '10000000-0000-4000-8000-000000000012';
const MIRROR_12 = '20000000-0000-4000-8000-000000000012';
const MIRROR_CHANGE = '30000000-0000-4000-8000-000000000001';
const OWN_CHANGE = '30000000-0000-4000-8000-000000000002';
const UNKNOWN = '40000000-0000-4000-8000-000000000004';
const PROJECT_OF: Record<string, string> = { [OWN_12]: 'own', [MIRROR_12]: 'mirror' };
const ISSUE_OF: Record<string, string> = { [MIRROR_CHANGE]: MIRROR_12, [OWN_CHANGE]: OWN_12 };
const OWN_KEYS = ['acme/web#2', 'acme/web#12'];

function placesAmong(ids: readonly string[]): PlacesOfNames {
  const projects = PROJECTS.filter(({ id }) => ids.includes(id));
  const trackerOf = (id: string) => PROJECTS.find((project) => project.id === id)?.tracker ?? '';
  const placeOf = (id: string) => ({
    project_id: id,
    tracker_id: trackerOf(id),
    tracker_name: trackerOf(id),
    tracker_type: 'github' as const,
  });
  return {
    issues: {
      projectNames: async () => projects.map((project) => ({ ...project, ...placeOf(project.id) })),
      placesOf: async (_, issueIds) =>
        new Map(issueIds.flatMap((id) => (PROJECT_OF[id] ? [[id, placeOf(PROJECT_OF[id])] as const] : []))),
      keysIn: async (_, projectId, keys) =>
        projectId === 'own' ? keys.filter((key) => OWN_KEYS.includes(key)) : [],
    },
    ledger: { idsWrittenTo: async (_, changeIds) => changeIds.flatMap((id) => ISSUE_OF[id] ?? []) },
  };
}

const isElsewhere = (told: unknown, inSentences = false, ids = ['own', 'mirror', 'other', 'jira']) =>
  namesOtherProject(placesAmong(ids), { accountId: 'account', projectId: 'own' }, told, { inSentences });

test.each([
  [{ key: 'corp/secret#1' }],
  [{ results: [{ issue: { project: 'corp/secret', title: 'Plans' } }] }],
  [{ key: 'corp/secret!7' }],
  [{ issue: ' corp/secret#1 ' }],
  [{ dependencies: [{ blocked: ['acme/web#2', 'SEC-4'] }] }],
  [conflict('changed_since', 'corp/secret#1 was changed since. It says: "Plans"')],
  [invalid([{ path: 'issue', message: 'Issue corp/secret!1 not found here.' }])],
  [conflict('changed_since', 'Meanwhile: {"key":"SEC-4","title":"Plans"}')],
])('%j names another project', async (told) => {
  expect([await isElsewhere(told), await isElsewhere(told, false, ['own', 'other', 'jira'])]).toEqual([
    true,
    true,
  ]);
});

test.each([
  [{ results: [{ issue: { id: MIRROR_12, key: 'acme/web#12', project: 'acme/web' } }] }],
  [{ changes: [{ change_id: MIRROR_CHANGE, issues: ['acme/web#12'] }] }],
  [[{ issue: MIRROR_12 }, conflict('changed_since', 'It says: “Plans”')]],
  [invalid([{ path: MIRROR_12, message: 'Mirror (GitLab): Plans' }])],
  [conflict('changed_since', 'acme/web#99 was changed since, and the own project has no such issue.')],
])('%j names the mirror of the own project, whose keys are equal', async (told) => {
  expect(await isElsewhere(told)).toBe(true);
});

test.each([
  [{ id: OWN_12, key: 'acme/web#12', project: 'acme/web', title: 'As in corp/secret#1' }],
  [{ change_id: OWN_CHANGE, steps: [{ target: 'acme/web#12' }] }],
  [{ key: 'acme/web-mobile#12', id: UNKNOWN }],
  [{ key: 'SECOND-1' }],
  [conflict('changed_since', 'acme/web#2 was changed since; see SECURITY.md.')],
  [null],
])('%j names only the own project, even if a mirror has equal keys', async (told) => {
  expect([await isElsewhere(told), await isElsewhere(told, false, ['own', 'mirror'])]).toEqual([
    false,
    false,
  ]);
});

test('a name within a sentence is found only if sentences are searched', async () => {
  const title = 'Created “Plans” in corp/secret.';
  expect([await isElsewhere({ title }), await isElsewhere({ title }, true)]).toEqual([false, true]);
});

test.each(FLOW_TOOLS.filter(isReadingTool))(
  'the result of %s contains the id of every issue that it read',
  (name) => {
    // Without an id in the result, text of other projects would go unnoticed.
    const { output } = MCP_SCHEMAS[name];
    expect(JSON.stringify(z.toJSONSchema(output))).toContain('"format":"uuid"');
  },
);
