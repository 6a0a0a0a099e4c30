import { FLOW_EVENTS, type FlowDefinition, MAX_ICON_BYTES } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { FieldProblem } from '../platform/errors.ts';
import { problemOfFilter } from './filters.ts';
import { nearestName } from './nearest-name.ts';
import { problemOfTemplate } from './template.ts';

/** Which of a flow's references (tracker, project, model, MCP servers) still exist. */
export interface ExistingReferences {
  tracker: { name: string; is_active: boolean } | null;
  hasOrganization: boolean;
  hasProject: boolean;
  /**
   * The chosen model. Null if none is chosen, or if the model was removed. `is_offered` is false
   * for a custom model of the account.
   */
  model: { is_offered: boolean } | null;
  /** Names of the existing MCP servers. */
  servers: readonly string[];
  /** Reason why the plan excludes custom models; null if it includes them. */
  customModelsRefusal: string | null;
}

/**
 * A flow's existing references, together with the tracker and the organization that contain them.
 */
export interface FlowReferences extends ExistingReferences {
  organization: { tracker_id: string } | null;
  project: { tracker_id: string; organization_id: string } | null;
}

/**
 * A field and the sentence that describes its problem; the sentence is null if there is no problem.
 */
type Finding = readonly [path: string, message: string | null];

/** Finding for a flow that has a prompt but no model. */
const NEEDS_MODEL =
  'This flow needs a language model. Choose one, or choose actions for the built-in analyst.';
export const MODEL_GONE = 'Its language model was removed. Choose another model or the built-in analyst.';

/**
 * Returns the reason why a flow cannot start; null if it can. Does not check whether the flow is
 * enabled.
 */
export function problemOf(definition: FlowDefinition, found: ExistingReferences): string | null {
  const { tracker, model } = found;
  if (tracker !== null && !tracker.is_active) return `Its tracker ${tracker.name} is turned off.`;
  if (model?.is_offered === false && found.customModelsRefusal !== null) return found.customModelsRefusal;
  return problemsOf(definition, found)[0]?.message ?? null;
}

/**
 * Lists the problems that prevent a run: missing references, nothing to do, or filters on a
 * schedule. Must be fast, because a list of flows checks it for each flow.
 */
function problemsOf(definition: FlowDefinition, found: ExistingReferences): FieldProblem[] {
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
    ['trigger_event_source', isTrackerGone ? 'Its tracker was removed. Choose another tracker.' : null],
    ['trigger_organization_id', isOrganizationGone ? goneFromTracker('organization') : null],
    ['trigger_project_id', isProjectGone ? goneFromTracker('project') : null],
    ['ai_model_id', model !== null && found.model === null ? MODEL_GONE : null],
    [
      'allowed_mcp_servers',
      gone === undefined ? null : `MCP server “${gone}” not found. Remove it from the tools of this flow.`,
    ],
    [model === null ? 'builtin_actions' : 'prompt_template', missingSettingText(definition)],
    ...clockFindings(definition),
  ]);
}

/** Lists all problems that prevent a flow from being saved. */
export function problemsOnSaving(definition: FlowDefinition, references: FlowReferences): FieldProblem[] {
  const { trigger_filters, icon, prompt_template } = definition;
  return [
    ...problemsOf(definition, references),
    ...onlyFaults([
      ...misplacedIn(definition, references),
      ...policyFindings(definition, references.servers),
      ['icon', icon === null ? null : problemOfIcon(icon)],
    ]),
    ...textProblems(trigger_filters, prompt_template),
  ];
}

/** Lists the problems of filters and templates. Compiles the filter expressions. */
export function textProblems(
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
  return `Its ${what} is not connected. Choose a different ${what}.`;
}

/**
 * Returns a sentence that names the missing prompt, model or actions; null if the flow is complete.
 */
export function missingSettingText({
  ai_model_id,
  prompt_template,
  builtin_actions,
}: FlowDefinition): string | null {
  if (ai_model_id !== null) return prompt_template === null ? 'Enter a prompt for the model.' : null;
  if (builtin_actions.length > 0) return null;
  if (prompt_template !== null) return NEEDS_MODEL;
  return 'Choose actions for the built-in analyst, or choose a language model and enter a prompt.';
}

/**
 * Rejects filters on scheduled flows. Filters check issues, comments and actors, which a scheduled
 * run does not have.
 */
function clockFindings({ trigger_event_type: type, trigger_filters: filters }: FlowDefinition): Finding[] {
  if (type === null || FLOW_EVENTS[type].stream.length > 0) return [];
  const message = 'Scheduled runs have no issue to filter by. Remove the filter.';
  return filters.map((_, index) => [`trigger_filters.${index}.value`, message]);
}

function misplacedIn(definition: FlowDefinition, { organization, project }: FlowReferences): Finding[] {
  const { trigger_event_source: trackerId, trigger_organization_id: organizationId } = definition;
  const isElsewhere = (place: { tracker_id: string } | null) =>
    place !== null && trackerId !== null && place.tracker_id !== trackerId;
  const ofProject = () => {
    if (isElsewhere(project)) return 'This project does not belong to the tracker.';
    const isOfAnother =
      project !== null && organizationId !== null && project.organization_id !== organizationId;
    return isOfAnother ? 'This project does not belong to the organization.' : null;
  };
  return [
    [
      'trigger_organization_id',
      isElsewhere(organization) ? 'This organization does not belong to the tracker.' : null,
    ],
    ['trigger_project_id', ofProject()],
  ];
}

/**
 * Rejects policies for unknown servers and tools. With a misspelled name, a tool would stay allowed
 * although the user wanted to deny it. Tools of external servers are not checked, because their
 * tools may change.
 */
function policyFindings({ tool_policies }: FlowDefinition, servers: readonly string[]): Finding[] {
  const problemWith = (name: string, policy: string): string | null => {
    const [server = '', tool = ''] = name.split('/', 2);
    if (!servers.includes(server)) {
      return `MCP server “${server}” not found. Did you mean ${nearestName(server, servers)}?`;
    }
    if (server !== MCP_SERVER_NAME) return null;
    const known = FLOW_TOOLS.find((one) => one === tool);
    if (known === undefined) {
      const nearest = `${MCP_SERVER_NAME}/${nearestName(tool, FLOW_TOOLS)}`;
      return `Tool ${name} not found. Did you mean ${nearest}?`;
    }
    const isIdle = policy === 'ask' && isReadingTool(known);
    return isIdle ? `${name} only reads, so there is nothing to approve. Allow or deny it.` : null;
  };
  return Object.entries(tool_policies).map(([name, policy]) => ['tool_policies', problemWith(name, policy)]);
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the problem of an icon; null if it is valid. Images are checked by their content. */
function problemOfIcon(icon: string): string | null {
  const [, type, base64] = /^data:image\/(png|webp);base64,(.*)$/s.exec(icon) ?? [];
  if (type === undefined || base64 === undefined) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_ICON_BYTES) return 'An icon may have at most 64 kB.';
  const isPicture = type === 'png' ? bytes.subarray(0, PNG.length).equals(PNG) : isWebP(bytes);
  return isPicture ? null : 'This file is not a PNG or WebP image.';
}

/** True for a RIFF file with a WebP chunk. */
function isWebP(bytes: Buffer): boolean {
  const at = (from: number, to: number) => bytes.subarray(from, to).toString('latin1');
  return at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP' && /^VP8[ LX]$/.test(at(12, 16));
}
