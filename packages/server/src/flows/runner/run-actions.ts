import { BUILTIN_ACTIONS, type BuiltinAction } from '@winnow/contract/flow';
import { errorTextOf } from '../../agent-tools/index.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Action, ActionContext } from '../built-in/action.ts';
import type { EventFacts } from '../facts.ts';
import { BuiltInTools } from './built-in-tools.ts';
import { ExecutionFailed } from './execution-failed.ts';
import type { Journal } from './journal.ts';
import type { Toolbox } from './toolbox.ts';

/** Progress of the built-in actions. */
export interface BuiltInState {
  done: { action: BuiltinAction; said: string; failed: boolean }[];
}

export interface RunActionsOptions
  extends Pick<ActionContext, 'area' | 'services' | 'budget' | 'db' | 'now' | 'signal'> {
  actions: Readonly<Record<BuiltinAction, Action>>;
  toolbox: Toolbox;
  journal: Journal;
  facts: EventFacts;
  state: BuiltInState | null;
  log: Log;
}

/**
 * Runs the built-in actions of a flow one after another. Returns their messages. If an action
 * fails, the remaining actions still run.
 *
 * @throws {ExecutionFailed} with the names of the failed actions
 * @throws the signal's abort reason if the signal is aborted
 */
export async function runActions(options: RunActionsOptions): Promise<string> {
  const { actions, toolbox, journal, facts, log, signal, area, services, budget, db, now } = options;
  const state: BuiltInState = options.state ?? { done: [] };
  const { accountId, executionId, definition } = toolbox.bound;
  const { event, issue } = facts;
  for (const action of definition.builtin_actions) {
    if (state.done.some((other) => other.action === action)) continue;
    signal.throwIfAborted();
    const tools = new BuiltInTools(toolbox, { journal, log, action });
    const { label } = BUILTIN_ACTIONS[action];
    const write = (text: string) => journal.log('message', { text });
    const context = {
      accountId,
      executionId,
      tools,
      event,
      area,
      issue,
      services,
      budget,
      db,
      now,
      signal,
      log: write,
    };
    try {
      state.done.push({ action, said: await actions[action](context), failed: false });
    } catch (error) {
      if (signal.aborted || isConnectionError(error) || !(error instanceof AppError)) throw error;
      const said = `${label}: ${errorTextOf(error, action, log)}`;
      state.done.push({ action, said, failed: true });
      await journal.log('error', { text: said });
    }
    await journal.write({ state });
  }
  const failures = state.done.filter(({ failed }) => failed);
  if (failures.length > 0) throw new ExecutionFailed(failures.map(({ said }) => said).join(' '));
  // Several actions may give the same message, such as a missing issue. It appears only once.
  return [...new Set(state.done.map(({ said }) => said))].join('\n\n');
}
