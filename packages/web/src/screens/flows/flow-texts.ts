import { type ExecutionLog, FLOW_EVENTS, type FlowEvent, type FlowExecution } from '@winnow/contract/flow';
import { countText } from '../../ui/texts/count-text.ts';

function isFlowEvent(type: string): type is FlowEvent {
  return Object.hasOwn(FLOW_EVENTS, type);
}

/** What happened, as people say it: `Issue Opened`; by hand where nothing did. */
export function eventText(type: string | null): string {
  if (type === null) return 'By hand';
  return isFlowEvent(type) ? FLOW_EVENTS[type].label : type;
}

const DOLLARS = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** Dollars with two decimals. */
export function dollarsText(amount: number): string {
  return DOLLARS.format(amount);
}

/** What an execution has cost; null where a turn was taken whose price is not known. */
export function knownCost(
  { budget_used: cost, tokens }: Pick<FlowExecution, 'budget_used' | 'tokens'>,
  log: readonly ExecutionLog[],
): number | null {
  const isUnpriced = log.some(({ type, payload }) => type === 'model_call' && payload.cost === null);
  return isUnpriced || (cost === 0 && tokens.input + tokens.output > 0) ? null : cost;
}

/** A count with its noun: `1 action`, `2 actions`. */
export function actionsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'action' : 'actions'}`;
}

/** The part of an id that tells one from another in a table. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
