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
import { parseInput } from '../../agent-tools/parse-input.ts';
import { writtenAnswer } from '../../agent-tools/present.ts';
import type { ToolServices } from '../../agent-tools/tool.ts';
import { runTool, scopeOf } from '../../agent-tools/tools.ts';
import { findWriteTarget, type Target } from '../../agent-tools/write-target.ts';
import type { ChangeRequest } from '../../changes/ledger.ts';
import { ANY_TRACKER, type KeyScope } from '../../issues/key-scope.ts';
import { type ExternalTools, isRecord } from '../../mcp-servers/external-tools.ts';
import { AppError } from '../../platform/errors.ts';
import { actionOf } from '../actions-taken.ts';
import { namesElsewhere } from './names-elsewhere.ts';
import { isFlowTool, labelOf, pretendedAction, pretendedAnswer } from './our-tools.ts';
import { OutsideCalls } from './outside-calls.ts';
import { type BoundTo, done, type Performed } from './performed.ts';
import { fateOfOurs, policyOf, type ToolFacts } from './policy.ts';
import { Requests } from './requests.ts';

/** Uses tools for one execution, within the policies of its flow. */
export class Toolbox {
  readonly bound: BoundTo;
  readonly #services: ToolServices;
  readonly #requests: Requests;
  readonly #outside: OutsideCalls;
  readonly #signal: AbortSignal;
  #hasReadElsewhere: boolean;

  /** `hasReadElsewhere`: whether that was so before the execution was interrupted. */
  constructor(
    bound: BoundTo,
    options: {
      services: ToolServices;
      outside: ExternalTools;
      hasReadElsewhere: boolean;
      signal: AbortSignal;
    },
  ) {
    const { services, outside, hasReadElsewhere, signal } = options;
    const { ledger } = services;
    this.bound = bound;
    this.#services = services;
    this.#requests = new Requests(ledger, bound);
    this.#outside = new OutsideCalls({ bound, outside, ledger, requests: this.#requests, signal });
    this.#hasReadElsewhere = hasReadElsewhere;
    this.#signal = signal;
  }

  /**
   * Whether the execution has been told of other projects. What it writes from then on is proposed, in its own project too:
   * who wrote an issue there may have talked a model into carrying out what stands elsewhere.
   */
  get hasReadElsewhere(): boolean {
    return this.#hasReadElsewhere;
  }

  /**
   * Uses a tool. `request` tells the call from others of the execution: under one nothing is written twice through the
   * ledger. Null where the flow's policy denies it.
   *
   * @throws {AppError} when it cannot be done, also for arguments that do not fit.
   */
  async perform(tool: ToolFacts, input: unknown, request: string): Promise<Performed | null> {
    const { server, name } = tool;
    if (server !== MCP_SERVER_NAME || !isFlowTool(name)) return this.#outside.perform(tool, input, request);
    const told = [input];
    // By id: a refusal may quote what an issue says now, whichever way the call named it.
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
    // The list of projects names all of them, and holds no text of their issues.
    if (this.#hasReadElsewhere || projectId === null || name === 'list_projects') return;
    const own = { accountId, projectId };
    const inSentences = name === 'list_changes';
    this.#hasReadElsewhere = await namesElsewhere(this.#services, own, told, { inSentences });
  }

  /** Where the names in a call are looked up: in the tracker that it names, else in the flow's own before others. */
  async #naming(input: object): Promise<{ accountId: string; scope: KeyScope }> {
    const { accountId, trackerId } = this.bound;
    const own: KeyScope = trackerId === null ? ANY_TRACKER : { type: 'preferred', trackerId };
    return { accountId, scope: await scopeOf(this.#services, { accountId, scope: own }, input) };
  }

  /** Whether some of what is written is done at once. */
  get appliesWrites(): boolean {
    const { definition, projectId, dryRun } = this.bound;
    return definition.write_mode === 'apply' && projectId !== null && !dryRun;
  }

  /** Whether it cannot be told of a call of this tool, once it was begun, if it was carried out. */
  leavesNoTrace(tool: ToolFacts): boolean {
    return tool.server !== MCP_SERVER_NAME && this.#outside.leavesNoTrace(tool);
  }

  /** What the execution has done through the ledger already, before it was interrupted. */
  doneBefore(): Promise<ActionTaken[]> {
    return this.#requests.doneBefore();
  }

  /** As {@link perform}, of one of our own tools that read. */
  async read<T extends ReadingTool>(name: T, given: unknown): Promise<Performed<McpOutput<T>> | null> {
    if (this.policyOf(name) === 'deny') return null;
    const { projectId } = this.bound;
    const isUnbound = name === 'search_issues' && isRecord(given) && !('projects' in given);
    // Searches look in the event's project unless others are named.
    const placed = isUnbound && projectId !== null ? { ...given, projects: [projectId] } : given;
    const input = parseInput(name, placed);
    return done(await this.#run(name, input, { actor: this.#requests.actor, as: 'proposed' }), null);
  }

  /** As {@link perform}, of one of our own tools that write. `tellsOf`: the projects whose issues the text tells of. */
  write<T extends WritingTool>(
    name: T,
    given: unknown,
    request: string,
    tellsOf: readonly string[] = [],
  ): Promise<Performed<Written> | null> {
    return this.#write(name, given, { request, tellsOf, onTarget: () => undefined });
  }

  async #write<T extends WritingTool>(
    name: T,
    given: unknown,
    options: { request: string; tellsOf: readonly string[]; onTarget: (target: Target) => void },
  ): Promise<Performed<Written> | null> {
    const { request, tellsOf, onTarget } = options;
    const { accountId, definition, projectId, dryRun } = this.bound;
    const policy = this.policyOf(name);
    if (policy === 'deny') return null;
    const input = parseInput(name, unnamed(given));
    const label = labelOf(name);
    const before = await this.#requests.savedFor(label, request);
    const target = await findWriteTarget(this.#services, await this.#naming(input), name, input);
    onTarget(target);
    if (before !== null) {
      const answer = writtenAnswer(await this.#services.ledger.whenSettled(accountId, before));
      return wrote(answer, actionOf(label, target, answer));
    }
    const touched = [...target.projectIds, ...tellsOf];
    const isInside = projectId !== null && !this.#hasReadElsewhere && touched.every((id) => id === projectId);
    const tool = { server: MCP_SERVER_NAME, name, isReading: false };
    const fate = fateOfOurs(tool, policy, { isInside, writeMode: definition.write_mode, dryRun });
    if (fate === 'pretend') {
      return done(pretendedAnswer(name, target), pretendedAction(label, name, target));
    }
    const asked = this.#requests.asked(label, request, fate === 'apply' ? 'applying' : 'proposed');
    const written: Written = await this.#run(name, input, asked);
    // What was found to be there, or asked for by others, is no doing of this execution.
    const isOwn =
      written.change_id !== undefined &&
      written.change_id === (await this.#requests.savedFor(label, request));
    return wrote(written, isOwn ? actionOf(label, target, written) : null);
  }

  /** What the flow lets one of our own tools do. */
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
    const caller = { ...naming, asked: async () => ({ ...asked, signal: this.#signal }), mayRead: true };
    return runTool(this.#services, caller, name, input);
  }
}

/** The arguments without a name of the request, which is ours to give. */
function unnamed(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { idempotency_key: _, ...rest } = given;
  return rest;
}

/** What was written, or was to be. */
function wrote(answer: Written, action: ActionTaken | null): Performed<Written> {
  return { answer, isError: answer.status === 'failed' || answer.status === 'partly_applied', action };
}
