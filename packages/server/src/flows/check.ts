import type { FlowDefinition } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { FieldProblem } from '../platform/errors.ts';
import { problemOfFilter } from './filters.ts';
import { problemOfIcon } from './icon.ts';
import { nearestName } from './nearest-name.ts';
import type { Places } from './places.ts';
import { problemOfTemplate } from './template.ts';

/** What there is in the account that a flow can be bound to. */
export interface Surroundings {
  places: Places;
  /** Names of the MCP servers. */
  servers: readonly string[];
}

/** What is wrong with a flow that is to be saved, at its fields. */
export function problemsOf(definition: FlowDefinition, surroundings: Surroundings): FieldProblem[] {
  const found: [path: string, message: string | null][] = [
    ...placeProblems(definition, surroundings.places),
    ...toolProblems(definition, surroundings.servers),
    ...filterProblems(definition.trigger_filters),
    ['icon', definition.icon === null ? null : problemOfIcon(definition.icon)],
    ['prompt_template', problemOfTemplate(definition.prompt_template ?? '')],
    [definition.ai_model_id === null ? 'builtin_actions' : 'prompt_template', lackOf(definition)],
  ];
  return found.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

/** What filters cannot be asked, at their places in the list. */
export function filterProblems(
  filters: FlowDefinition['trigger_filters'],
): [path: string, message: string | null][] {
  return filters.map((filter, index) => [`trigger_filters.${index}.value`, problemOfFilter(filter)]);
}

/** What a flow lacks to do anything, in a sentence; null when nothing. */
export function lackOf({
  ai_model_id,
  prompt_template,
  builtin_actions,
}: Pick<FlowDefinition, 'ai_model_id' | 'prompt_template' | 'builtin_actions'>): string | null {
  if (ai_model_id !== null) return prompt_template === null ? 'Write what the model is to do.' : null;
  if (builtin_actions.length > 0) return null;
  return 'Choose what the built-in analyst does, or a language model and write what it is to do.';
}

function placeProblems(
  definition: FlowDefinition,
  { tracker, organization, project, hasModel }: Places,
): [string, string | null][] {
  const {
    trigger_event_source: trackerId,
    trigger_organization_id: organizationId,
    trigger_project_id: projectId,
  } = definition;
  const isElsewhere = (place: { tracker_id: string }) => trackerId !== null && place.tracker_id !== trackerId;
  const ofOrganization = () => {
    if (organizationId === null) return null;
    if (organization === undefined) return 'There is no such organization any more. Choose another one.';
    return isElsewhere(organization) ? 'This organization is not one of the tracker.' : null;
  };
  const ofProject = () => {
    if (projectId === null) return null;
    if (project === undefined) return 'There is no such project any more. Choose another one.';
    if (isElsewhere(project)) return 'This project is not one of the tracker.';
    const isOfAnother = organizationId !== null && project.organization_id !== organizationId;
    return isOfAnother ? 'This project is not one of the organization.' : null;
  };
  const isTrackerGone = trackerId !== null && tracker === undefined;
  const isModelGone = definition.ai_model_id !== null && !hasModel;
  return [
    ['trigger_event_source', isTrackerGone ? 'There is no such tracker any more. Choose another one.' : null],
    ['trigger_organization_id', ofOrganization()],
    ['trigger_project_id', ofProject()],
    ['ai_model_id', isModelGone ? 'There is no such model any more. Choose another one.' : null],
  ];
}

/**
 * A misspelt name of a server or of one of our tools would leave allowed what was to be denied. Which tools an outside
 * server has is for it to say, and may change.
 */
function toolProblems(
  { allowed_mcp_servers, tool_policies }: FlowDefinition,
  servers: readonly string[],
): [string, string | null][] {
  const gone = allowed_mcp_servers.filter((name) => !servers.includes(name));
  const ofServers: [string, string | null] = [
    'allowed_mcp_servers',
    gone[0] === undefined ? null : `There is no MCP server “${gone[0]}”.`,
  ];
  const ofPolicies = Object.entries(tool_policies).map(([name, policy]): [string, string | null] => {
    const [server = '', tool = ''] = name.split('/', 2);
    if (!servers.includes(server)) {
      return [
        'tool_policies',
        `There is no MCP server “${server}”. The nearest name is ${nearestName(server, servers)}.`,
      ];
    }
    if (server !== MCP_SERVER_NAME) return ['tool_policies', null];
    const known = FLOW_TOOLS.find((one) => one === tool);
    if (known === undefined) {
      const nearest = `${MCP_SERVER_NAME}/${nearestName(tool, FLOW_TOOLS)}`;
      return ['tool_policies', `There is no tool ${name}. The nearest name is ${nearest}.`];
    }
    const isIdle = policy === 'ask' && isReadingTool(known);
    return [
      'tool_policies',
      isIdle ? `${name} writes nothing that could be approved. Allow or deny it.` : null,
    ];
  });
  return [ofServers, ...ofPolicies];
}
