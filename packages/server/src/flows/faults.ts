import { FLOW_EVENTS, type FlowDefinition } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { FieldProblem } from '../platform/errors.ts';
import { problemOfFilter } from './filters.ts';
import { problemOfIcon } from './icon.ts';
import { nearestName } from './nearest-name.ts';
import { problemOfTemplate } from './template.ts';

/** What of what a flow is bound to is there. */
export interface Found {
  tracker: { name: string; is_active: boolean } | null;
  hasOrganization: boolean;
  hasProject: boolean;
  /** The language model, if one is chosen and there; one that is not offered is the account's own. */
  model: { is_offered: boolean } | null;
  /** Names of the MCP servers. */
  servers: readonly string[];
  /** Why the account's plan has its own models not work, in a sentence; null where it does not keep them from it. */
  ownModelsRefused: string | null;
}

/** The same, and what belongs to what. */
export interface Places extends Found {
  organization: { tracker_id: string } | null;
  project: { tracker_id: string; organization_id: string } | null;
}

/** Something that may be wrong, at the field that says it; null where it is not. */
type Finding = readonly [path: string, message: string | null];

export const MODEL_GONE = 'Its language model was removed. Choose another one, or the built-in analyst.';

/** Why a flow cannot start, in a sentence; null while it can. Whether it is switched on is another matter. */
export function problemOf(definition: FlowDefinition, found: Found): string | null {
  const { tracker, model } = found;
  if (tracker !== null && !tracker.is_active) return `Its tracker ${tracker.name} is switched off.`;
  if (model?.is_offered === false && found.ownModelsRefused !== null) return found.ownModelsRefused;
  return faultsOf(definition, found)[0]?.message ?? null;
}

/**
 * What keeps a flow from being run: what it is bound to is gone, or it has nothing to do. Quickly told, since every flow of a
 * list is asked.
 */
export function faultsOf(definition: FlowDefinition, found: Found): FieldProblem[] {
  const {
    trigger_event_source: tracker,
    trigger_organization_id: organization,
    trigger_project_id: project,
    ai_model_id: model,
    allowed_mcp_servers: servers,
  } = definition;
  const gone = servers.find((name) => !found.servers.includes(name));
  const isTrackerGone = tracker !== null && found.tracker === null;
  const isOrganizationGone = organization !== null && !found.hasOrganization;
  const isProjectGone = project !== null && !found.hasProject;
  return onlyFaults([
    ['trigger_event_source', isTrackerGone ? 'Its tracker was removed. Choose another one.' : null],
    ['trigger_organization_id', isOrganizationGone ? goneFromTracker('organization') : null],
    ['trigger_project_id', isProjectGone ? goneFromTracker('project') : null],
    ['ai_model_id', model !== null && found.model === null ? MODEL_GONE : null],
    [
      'allowed_mcp_servers',
      gone === undefined ? null : `There is no MCP server “${gone}”. Take it out of the flow’s tools.`,
    ],
    [model === null ? 'builtin_actions' : 'prompt_template', lackOf(definition)],
    ...clockFindings(definition),
  ]);
}

/** All that is wrong with a flow that is to be saved. */
export function faultsOnSaving(definition: FlowDefinition, places: Places): FieldProblem[] {
  const { trigger_filters, icon, prompt_template } = definition;
  return [
    ...faultsOf(definition, places),
    ...onlyFaults([
      ...misplacedIn(definition, places),
      ...policyFindings(definition, places.servers),
      ['icon', icon === null ? null : problemOfIcon(icon)],
    ]),
    ...textFaults(trigger_filters, prompt_template),
  ];
}

/** What filters cannot be asked, at their places in the list, and what is wrong with a template. Expressions are compiled for it. */
export function textFaults(
  filters: FlowDefinition['trigger_filters'],
  template: FlowDefinition['prompt_template'],
): FieldProblem[] {
  return onlyFaults([
    ...filters.map((filter, index) => [`trigger_filters.${index}.value`, problemOfFilter(filter)] as const),
    ['prompt_template', problemOfTemplate(template ?? '')],
  ]);
}

function onlyFaults(findings: readonly Finding[]): FieldProblem[] {
  return findings.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

function goneFromTracker(what: 'organization' | 'project'): string {
  return `Its ${what} is not connected any more. Choose another one.`;
}

/** What a flow lacks to do anything. */
function lackOf({ ai_model_id, prompt_template, builtin_actions }: FlowDefinition): string | null {
  if (ai_model_id !== null) return prompt_template === null ? 'Write what the model is to do.' : null;
  if (builtin_actions.length > 0) return null;
  return 'Choose what the built-in analyst does, or a language model and write what it is to do.';
}

/** Filters look at issues, comments and whoever did something. At a time of the day there are none, so that they pass or fail for good. */
function clockFindings({ trigger_event_type: type, trigger_filters: filters }: FlowDefinition): Finding[] {
  if (type === null || FLOW_EVENTS[type].stream.length > 0) return [];
  const message = 'The clock starts this flow without an issue to look at. Remove the filter.';
  return filters.map((_, index) => [`trigger_filters.${index}.value`, message]);
}

function misplacedIn(definition: FlowDefinition, { organization, project }: Places): Finding[] {
  const { trigger_event_source: trackerId, trigger_organization_id: organizationId } = definition;
  const isElsewhere = (place: { tracker_id: string } | null) =>
    place !== null && trackerId !== null && place.tracker_id !== trackerId;
  const ofProject = () => {
    if (isElsewhere(project)) return 'This project is not one of the tracker.';
    const isOfAnother =
      project !== null && organizationId !== null && project.organization_id !== organizationId;
    return isOfAnother ? 'This project is not one of the organization.' : null;
  };
  return [
    [
      'trigger_organization_id',
      isElsewhere(organization) ? 'This organization is not one of the tracker.' : null,
    ],
    ['trigger_project_id', ofProject()],
  ];
}

/**
 * A misspelt name of a server or of one of our tools would leave allowed what was to be denied. Which tools an outside
 * server has is for it to say, and may change.
 */
function policyFindings({ tool_policies }: FlowDefinition, servers: readonly string[]): Finding[] {
  const problemWith = (name: string, policy: string): string | null => {
    const [server = '', tool = ''] = name.split('/', 2);
    if (!servers.includes(server)) {
      return `There is no MCP server “${server}”. The nearest name is ${nearestName(server, servers)}.`;
    }
    if (server !== MCP_SERVER_NAME) return null;
    const known = FLOW_TOOLS.find((one) => one === tool);
    if (known === undefined) {
      const nearest = `${MCP_SERVER_NAME}/${nearestName(tool, FLOW_TOOLS)}`;
      return `There is no tool ${name}. The nearest name is ${nearest}.`;
    }
    const isIdle = policy === 'ask' && isReadingTool(known);
    return isIdle ? `${name} writes nothing that could be approved. Allow or deny it.` : null;
  };
  return Object.entries(tool_policies).map(([name, policy]) => ['tool_policies', problemWith(name, policy)]);
}
