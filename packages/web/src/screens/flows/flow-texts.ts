import { type ExecutionLog, FLOW_EVENTS, type FlowEvent, type FlowExecution } from '@winnow/contract/flow';
import { countText } from '../../ui/texts/count-text.ts';

function isFlowEvent(type: string): type is FlowEvent {
  return Object.hasOwn(FLOW_EVENTS, type);
}

/** Returns the label of an event type, such as `Issue Opened`. Null reads `Manual`. */
export function eventText(type: string | null): string {
  if (type === null) return 'Manual';
  return isFlowEvent(type) ? FLOW_EVENTS[type].label : type;
}

const DOLLARS = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** Formats an amount of US dollars with two decimals. */
export function dollarsText(amount: number): string {
  return DOLLARS.format(amount);
}

/** Returns the cost of an execution. Null if the price of a model call is unknown. */
export function knownCost(
  { budget_used: cost, tokens }: Pick<FlowExecution, 'budget_used' | 'tokens'>,
  log: readonly ExecutionLog[],
): number | null {
  const isUnpriced = log.some(({ type, payload }) => type === 'model_call' && payload.cost === null);
  return isUnpriced || (cost === 0 && tokens.input + tokens.output > 0) ? null : cost;
}

/** Formats a number of actions, such as `1 action` or `2 actions`. */
export function actionsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'action' : 'actions'}`;
}

/** Returns the first 8 characters of an id, which usually distinguish the ids in a table. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
