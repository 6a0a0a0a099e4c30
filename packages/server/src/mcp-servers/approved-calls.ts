import type { ActionHandler } from '../changes/action-handler.ts';
import type { PlannedStep } from '../changes/plan.ts';
import { conflict } from '../platform/errors.ts';
import type { OutsideAnswer, OutsideTools } from './outside-tools.ts';

/** Makes the calls of outside tools that somebody has approved. */
export class ApprovedCalls implements ActionHandler {
  readonly #outside: OutsideTools;

  constructor(outside: OutsideTools) {
    this.#outside = outside;
  }

  /** 409 when the server was removed, is elsewhere by now, or no longer has the tool; 502 when it does not say. */
  async expectReady(accountId: string, step: PlannedStep): Promise<void> {
    const { server, name } = toolOf(step);
    await this.#expectInPlace(accountId, step);
    const tools = await this.#outside.list(accountId, [server]);
    if (tools.some((tool) => tool.name === name)) return;
    throw conflict('tool_gone', `${server} has no tool named ${name} any more.`);
  }

  /** Calls the tool. 409 as for {@link expectReady}, as far as it is known here. */
  async perform(accountId: string, step: PlannedStep, signal: AbortSignal): Promise<OutsideAnswer> {
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
      `The address of ${server} was changed since this was proposed. Run the flow again if the call is still wanted.`,
    );
  }
}

function toolOf({ key, memory }: PlannedStep) {
  if (memory?.tool === undefined) throw new Error(`Nobody knows which tool ${key} is.`);
  return memory.tool;
}
