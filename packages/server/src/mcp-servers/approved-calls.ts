import type { ActionHandler, PlannedStep } from '../changes/index.ts';
import { conflict } from '../platform/errors.ts';
import type { ExternalResult, ExternalTools } from './external-tools.ts';

/** Calls external tools after a person has approved the call. */
export class ApprovedCalls implements ActionHandler {
  readonly #outside: ExternalTools;

  constructor(outside: ExternalTools) {
    this.#outside = outside;
  }

  /**
   * Checks that the tool can be called.
   * @throws {AppError} `conflict` if the server was removed, has a new address or lacks the tool;
   * `upstream_failed` if it does not list its tools
   */
  async expectReady(accountId: string, step: PlannedStep): Promise<void> {
    const { server, name } = toolOf(step);
    await this.#expectInPlace(accountId, step);
    const tools = await this.#outside.list(accountId, [server]);
    if (tools.some((tool) => tool.name === name)) return;
    throw conflict('tool_gone', `The tool ${name} of ${server} was removed.`);
  }

  /**
   * Calls the tool.
   * @throws {AppError} `conflict` if the server was removed or has a new address
   */
  async perform(accountId: string, step: PlannedStep, signal: AbortSignal): Promise<ExternalResult> {
    const { server, name } = toolOf(step);
    await this.#expectInPlace(accountId, step);
    const args = JSON.parse(step.after.arguments ?? '{}') as Record<string, unknown>;
    return this.#outside.call(accountId, server, name, args, signal);
  }

  async #expectInPlace(accountId: string, step: PlannedStep): Promise<void> {
    const { server, address } = toolOf(step);
    if ((await this.#outside.addressOf(accountId, server)) === address) return;
    throw conflict(
      'mcp_server_moved',
      `The address of ${server} has changed since this was proposed. Run the flow again if you still need the call.`,
    );
  }
}

function toolOf({ key, memory }: PlannedStep) {
  if (memory?.tool === undefined) throw new Error(`The planned call of ${key} does not name its tool.`);
  return memory.tool;
}
