import type { FlowToolName, McpOutput, ReadingTool, WritingTool, Written } from '@winnow/contract/mcp';
import { errorTextOf } from '../../agent-tools/index.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { FlowTools, ToolInput } from '../built-in/flow-tools.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { Journal } from './journal.ts';
import { labelOf } from './own-tools.ts';
import type { Toolbox } from './toolbox.ts';

/** Gives built-in actions access to the tools of an execution. Logs each call. */
export class BuiltInTools implements FlowTools {
  readonly #toolbox: Toolbox;
  readonly #journal: Journal;
  readonly #log: Log;
  readonly #action: string;

  constructor(toolbox: Toolbox, options: { journal: Journal; log: Log; action: string }) {
    this.#toolbox = toolbox;
    this.#journal = options.journal;
    this.#log = options.log;
    this.#action = options.action;
  }

  may(tool: FlowToolName): boolean {
    return this.#toolbox.policyOf(tool) !== 'deny';
  }

  read<T extends ReadingTool>(tool: T, input: ToolInput<T>): Promise<McpOutput<T> | null> {
    return this.#use(tool, input, () => this.#toolbox.read(tool, input));
  }

  async write<T extends WritingTool>(
    tool: T,
    input: ToolInput<T>,
    about: string,
    tellsOf: readonly string[] = [],
  ): Promise<Written | null> {
    const request = `${this.#action}:${about}`;
    const written = await this.#use(tool, input, () => this.#toolbox.write(tool, input, request, tellsOf));
    if (written?.status === 'failed' || written?.status === 'partly_applied') throw notWritten(written);
    return written;
  }

  async #use<Answer>(
    tool: FlowToolName,
    input: unknown,
    perform: () => Promise<CallOutcome<Answer> | null>,
  ): Promise<Answer | null> {
    const label = labelOf(tool);
    await this.#journal.recordCall(label, input);
    try {
      const performed = await perform();
      const { answer, action } = performed ?? { answer: null, action: null };
      const text = performed === null ? 'This flow may not use this tool.' : JSON.stringify(answer);
      const isError = performed === null || performed.isError;
      await this.#journal.recordResult(label, { text, isError, action });
      return answer;
    } catch (error) {
      if (!isConnectionError(error)) {
        const text = errorTextOf(error, label, this.#log);
        await this.#journal.recordResult(label, { text, isError: true, action: null });
      }
      throw error;
    }
  }
}

/** Creates the error for a write that the tracker refused, with the reason of the tracker. */
function notWritten({ summary, steps = [] }: Written): AppError {
  const reasons = steps.flatMap(({ error, status }) => (status === 'failed' && error ? [error] : []));
  return new AppError({
    code: 'not_written',
    category: 'upstream_failed',
    detail: reasons.join(' ') || summary,
  });
}
