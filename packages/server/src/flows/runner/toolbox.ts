import type { ActionTaken, ToolPolicy } from '@winnow/contract/flow';
import {
  type FlowToolName,
  isReadingTool,
  type McpInput,
  type McpOutput,
  type ReadingTool,
  type WritingTool,
  type Written,
} from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import {
  findWriteTarget,
  parseInput,
  presentWrite,
  runTool,
  scopeOf,
  type Target,
  type ToolServices,
} from '../../agent-tools/index.ts';
import type { CostBudget } from '../../ai/index.ts';
import type { ChangeRequest } from '../../changes/index.ts';
import { ANY_TRACKER, type KeyScope } from '../../issues/index.ts';
import { type ExternalTools, isRecord } from '../../mcp-servers/index.ts';
import { AppError } from '../../platform/errors.ts';
import { actionOf } from '../actions-taken.ts';
import { type CallOutcome, done, type ExecutionContext } from './call-outcome.ts';
import { ExternalCalls } from './external-calls.ts';
import { namesOtherProject } from './foreign-names.ts';
import { dryRunAction, dryRunResult, isFlowTool, labelOf } from './own-tools.ts';
import { decideOwnCall, policyOf, type ToolFacts } from './policy.ts';
import { Requests } from './requests.ts';

/** Runs the tools of one execution within the policies of its flow. */
export class Toolbox {
  readonly bound: ExecutionContext;
  readonly #services: ToolServices;
  readonly #budget: CostBudget;
  readonly #requests: Requests;
  readonly #outside: ExternalCalls;
  readonly #signal: AbortSignal;
  #hasReadElsewhere: boolean;

  /** `options.hasReadElsewhere` is the value of {@link hasReadElsewhere} before an interruption. */
  constructor(
    bound: ExecutionContext,
    options: {
      services: ToolServices;
      budget: CostBudget;
      outside: ExternalTools;
      hasReadElsewhere: boolean;
      signal: AbortSignal;
    },
  ) {
    const { services, budget, outside, hasReadElsewhere, signal } = options;
    const { ledger } = services;
    this.bound = bound;
    this.#services = services;
    this.#budget = budget;
    this.#requests = new Requests(ledger, bound);
    this.#outside = new ExternalCalls({ bound, outside, ledger, requests: this.#requests, signal });
    this.#hasReadElsewhere = hasReadElsewhere;
    this.#signal = signal;
  }

  /**
   * True if the execution has read data of other projects. Such data may have manipulated the
   * model, so all later writes are proposed.
   */
  get hasReadElsewhere(): boolean {
    return this.#hasReadElsewhere;
  }

  /**
   * Runs a tool. Returns null if the policy denies the tool. `request` identifies the call within
   * the execution, so that the ledger writes it only once.
   *
   * @throws {AppError} if the call fails or its arguments are invalid
   */
  async perform(tool: ToolFacts, input: unknown, request: string): Promise<CallOutcome | null> {
    const { server, name } = tool;
    if (server !== MCP_SERVER_NAME || !isFlowTool(name)) return this.#outside.perform(tool, input, request);
    const told = [input];
    // Includes the project ids of the target, because an error may quote an issue that the
    // arguments do not name by key or id.
    const onTarget = ({ projectIds }: Target) => told.push(...projectIds);
    try {
      const performed = isReadingTool(name)
        ? await this.read(name, input)
        : await this.#write(name, input, { request, tellsOf: [], onTarget });
      await this.#noteElsewhere(name, [...told, performed?.answer]);
      return performed;
    } catch (error) {
      if (error instanceof AppError) await this.#noteElsewhere(name, [...told, error]);
      throw error;
    }
  }

  async #noteElsewhere(name: FlowToolName, told: unknown): Promise<void> {
    const { accountId, projectId } = this.bound;
    // The result of `list_projects` names all projects but contains no text of their issues.
    if (this.#hasReadElsewhere || projectId === null || name === 'list_projects') return;
    const own = { accountId, projectId };
    const inSentences = name === 'list_changes';
    this.#hasReadElsewhere = await namesOtherProject(this.#services, own, told, { inSentences });
  }

  /**
   * Returns the account, and the trackers in which issue keys of a call are looked up. If the call
   * names no tracker, the flow's own tracker is preferred.
   */
  async #naming(input: object): Promise<{ accountId: string; scope: KeyScope }> {
    const { accountId, trackerId } = this.bound;
    const own: KeyScope = trackerId === null ? ANY_TRACKER : { type: 'preferred', trackerId };
    return { accountId, scope: await scopeOf(this.#services, { accountId, scope: own }, input) };
  }

  /** True if some writes of the flow are applied without approval. */
  get appliesWrites(): boolean {
    const { definition, projectId, dryRun } = this.bound;
    return definition.write_mode === 'apply' && projectId !== null && !dryRun;
  }

  /** True if, after a crash, it is unknown whether a started call took effect. */
  hasUnknownOutcomeAfterCrash(tool: ToolFacts): boolean {
    return tool.server !== MCP_SERVER_NAME && this.#outside.hasUnknownOutcomeAfterCrash(tool);
  }

  /** Lists the actions of interrupted attempts whose changes are in the ledger. */
  listEarlierActions(): Promise<ActionTaken[]> {
    return this.#requests.listEarlierActions();
  }

  /** Runs one of Winnow's reading tools, in the same way as {@link perform}. */
  async read<T extends ReadingTool>(name: T, given: unknown): Promise<CallOutcome<McpOutput<T>> | null> {
    if (this.policyOf(name) === 'deny') return null;
    const { projectId } = this.bound;
    const isUnbound = name === 'search_issues' && isRecord(given) && !('projects' in given);
    // By default, searches are limited to the project of the event.
    const placed = isUnbound && projectId !== null ? { ...given, projects: [projectId] } : given;
    const input = parseInput(name, placed);
    return done(await this.#run(name, input, { actor: this.#requests.actor, as: 'proposed' }), null);
  }

  /**
   * Runs one of Winnow's writing tools, in the same way as {@link perform}. `tellsOf` lists the
   * projects whose issues the text mentions.
   */
  write<T extends WritingTool>(
    name: T,
    given: unknown,
    request: string,
    tellsOf: readonly string[] = [],
  ): Promise<CallOutcome<Written> | null> {
    return this.#write(name, given, { request, tellsOf, onTarget: () => undefined });
  }

  async #write<T extends WritingTool>(
    name: T,
    given: unknown,
    options: { request: string; tellsOf: readonly string[]; onTarget: (target: Target) => void },
  ): Promise<CallOutcome<Written> | null> {
    const { request, tellsOf, onTarget } = options;
    const { accountId, definition, projectId, dryRun } = this.bound;
    const policy = this.policyOf(name);
    if (policy === 'deny') return null;
    const input = parseInput(name, withoutIdempotencyKey(given));
    const label = labelOf(name);
    const before = await this.#requests.findSavedChange(label, request);
    const target = await findWriteTarget(this.#services, await this.#naming(input), name, input);
    onTarget(target);
    if (before !== null) {
      const answer = presentWrite(await this.#services.ledger.whenSettled(accountId, before));
      return writeOutcome(answer, actionOf(label, target, answer));
    }
    const touched = [...target.projectIds, ...tellsOf];
    const isInside = projectId !== null && !this.#hasReadElsewhere && touched.every((id) => id === projectId);
    const tool = { server: MCP_SERVER_NAME, name, isReading: false };
    const decision = decideOwnCall(tool, policy, { isInside, writeMode: definition.write_mode, dryRun });
    if (decision === 'pretend') {
      return done(dryRunResult(name, target), dryRunAction(label, name, target));
    }
    const asked = this.#requests.changeRequestFor(
      label,
      request,
      decision === 'apply' ? 'applying' : 'proposed',
    );
    const written: Written = await this.#run(name, input, asked);
    // Issues that already existed, and changes that others requested, are not actions of this
    // execution.
    const isOwn =
      written.change_id !== undefined &&
      written.change_id === (await this.#requests.findSavedChange(label, request));
    return writeOutcome(written, isOwn ? actionOf(label, target, written) : null);
  }

  /** Returns the flow's policy for one of Winnow's tools. */
  policyOf(name: FlowToolName): ToolPolicy {
    const tool = { server: MCP_SERVER_NAME, name, isReading: isReadingTool(name) };
    return policyOf(this.bound.definition.tool_policies, tool);
  }

  async #run<T extends FlowToolName>(
    name: T,
    input: McpInput<T>,
    asked: ChangeRequest,
  ): Promise<McpOutput<T>> {
    const naming = await this.#naming(input);
    const caller = {
      ...naming,
      budget: this.#budget,
      changeRequest: async () => ({ ...asked, signal: this.#signal }),
      mayRead: true,
      mayWrite: true,
    };
    return runTool(this.#services, caller, name, input);
  }
}

/** Removes the idempotency key from the arguments, because Winnow sets its own. */
function withoutIdempotencyKey(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { idempotency_key: _, ...rest } = given;
  return rest;
}

/** Builds the outcome of a write from its result. */
function writeOutcome(answer: Written, action: ActionTaken | null): CallOutcome<Written> {
  return { answer, isError: answer.status === 'failed' || answer.status === 'partly_applied', action };
}
