import type { FilterField, TriggerFilter } from '@winnow/contract/flow';
import { Expression, ExpressionRefused } from './expression.ts';
import type { EventFacts } from './facts.ts';
import { type SearchTime, TooLong } from './search-time.ts';

/** Time for the expressions of one flow's filters on one event; usual ones take a fiftieth of it. */
export const FILTERS_MS = 100;

/** Filters made ready to be asked about many events. */
export interface PreparedFilters {
  /** Whether each of them lets an event pass; null where an expression takes too long to tell. */
  each(facts: EventFacts, time: SearchTime): (boolean | null)[];
  /** Whether all do; null where one takes too long to tell, and no other keeps the event out. */
  all(facts: EventFacts, time: SearchTime): boolean | null;
}

type Condition = (facts: EventFacts, time: SearchTime) => boolean;

/** Makes filters ready. One whose expression cannot be read any more lets nothing pass. */
export function prepareFilters(filters: readonly TriggerFilter[]): PreparedFilters {
  const conditions = filters.map((filter) => inTime(conditionOf(filter)));
  return {
    each: (facts, time) => conditions.map((holds) => holds(facts, time)),
    all: (facts, time) => {
      let passes: boolean | null = true;
      for (const holds of conditions) {
        const held = holds(facts, time);
        if (held === false) return false;
        passes = held && passes;
      }
      return passes;
    },
  };
}

/** What is wrong with a filter, in a sentence; null when nothing is. */
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
  return (facts, time) => {
    try {
      return holds(facts, time);
    } catch (error) {
      if (error instanceof TooLong) return null;
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
      return (facts, time) => {
        const expression = read ?? time.take(() => expressionOf(filter.value));
        read = expression;
        if (expression instanceof ExpressionRefused) return false;
        return valuesOf(facts, field).some((value) => expression.isIn(value.normalize(), time));
      };
    }
  }
}

/** What of an event a filter looks at; nothing where there is no such thing. */
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

/** A text as it is compared: however its letters are put together, in upper or lower case. */
function plain(text: string): string {
  return text.normalize().toLowerCase();
}
