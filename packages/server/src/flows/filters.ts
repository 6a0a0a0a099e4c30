import type { FilterField, TriggerFilter } from '@winnow/contract/flow';
import { type CpuBudget, CpuBudgetExceeded } from './cpu-budget.ts';
import { Expression, ExpressionRefused } from './expression.ts';
import type { EventFacts } from './facts.ts';

/**
 * Maximum processor time in milliseconds for all filters of a flow on one event. Common expressions
 * need about a fiftieth of it.
 */
export const FILTERS_MS = 100;

/** Filters that are compiled once and evaluated on many events. */
export interface PreparedFilters {
  /** Returns the result of each filter. Null for a filter that takes too long. */
  each(facts: EventFacts, budget: CpuBudget): (boolean | null)[];
  /** True if all filters pass. Null if a filter takes too long and none fails. */
  all(facts: EventFacts, budget: CpuBudget): boolean | null;
}

type Condition = (facts: EventFacts, budget: CpuBudget) => boolean;

/** Compiles filters. A filter whose stored expression is invalid never passes. */
export function prepareFilters(filters: readonly TriggerFilter[]): PreparedFilters {
  const conditions = filters.map((filter) => inTime(conditionOf(filter)));
  return {
    each: (facts, budget) => conditions.map((holds) => holds(facts, budget)),
    all: (facts, budget) => {
      let passes: boolean | null = true;
      for (const holds of conditions) {
        const held = holds(facts, budget);
        if (held === false) return false;
        passes = held && passes;
      }
      return passes;
    },
  };
}

/** Returns a sentence that describes the problem of a filter; null if the filter is valid. */
export function problemOfFilter({ op, value }: TriggerFilter): string | null {
  if (op !== 'matches') return null;
  const read = expressionOf(value);
  return read instanceof Expression ? null : read.message;
}

function expressionOf(value: string): Expression | ExpressionRefused {
  try {
    return new Expression(value.normalize());
  } catch (error) {
    if (error instanceof ExpressionRefused) return error;
    throw error;
  }
}

function inTime(holds: Condition): (...asked: Parameters<Condition>) => boolean | null {
  return (facts, budget) => {
    try {
      return holds(facts, budget);
    } catch (error) {
      if (error instanceof CpuBudgetExceeded) return null;
      throw error;
    }
  };
}

function conditionOf(filter: TriggerFilter): Condition {
  const { field, op } = filter;
  const wanted = plain(filter.value);
  switch (op) {
    case 'is':
      return (facts) => valuesOf(facts, field).some((value) => plain(value) === wanted);
    case 'is_not':
      return (facts) => valuesOf(facts, field).every((value) => plain(value) !== wanted);
    case 'contains':
      return (facts) => valuesOf(facts, field).some((value) => plain(value).includes(wanted));
    case 'matches': {
      let read: ReturnType<typeof expressionOf> | null = null;
      return (facts, budget) => {
        const expression = read ?? budget.take(() => expressionOf(filter.value));
        read = expression;
        if (expression instanceof ExpressionRefused) return false;
        return valuesOf(facts, field).some((value) => expression.isIn(value.normalize(), budget));
      };
    }
  }
}

/**
 * Returns the values of the event that a filter checks. An empty array if the event lacks the
 * field.
 */
function valuesOf({ event, issue }: EventFacts, field: FilterField): string[] {
  switch (field) {
    case 'title':
      return present(issue?.title ?? event.issue_title);
    case 'description':
      return present(issue?.description);
    case 'label':
      return issue?.labels ?? [];
    case 'author':
      return present(issue?.author);
    case 'assignee':
      return issue?.assignees ?? [];
    case 'issue_type':
      return present(issue?.issue_type);
    case 'priority':
      return present(issue?.priority);
    case 'state':
      return present(issue?.state);
    case 'actor':
      return present(event.actor);
    case 'comment':
      return present(event.details.comment);
    case 'branch':
      return present(event.details.branch);
  }
}

function present(value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [value];
}

/** Normalizes the Unicode form and the case of a text for comparison. */
function plain(text: string): string {
  return text.normalize().toLowerCase();
}
