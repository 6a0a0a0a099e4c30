import {
  FLOW_EVENTS,
  type FlowPreview,
  type FlowPreviewRequest,
  type PastEvent,
  type pastEventsQuery,
} from '@winnow/contract/flow';
import type { z } from 'zod';
import { createFence } from '../ai/index.ts';
import type { Issues } from '../issues/index.ts';
import { invalid } from '../platform/errors.ts';
import { truncate } from '../platform/text.ts';
import type { Db } from '../schema/tables.ts';
import { newestEvents } from '../tracker-events/index.ts';
import { CpuBudget } from './cpu-budget.ts';
import { textProblems } from './definition-problems.ts';
import { factsOfEvents, factsOfTrigger } from './facts.ts';
import { FILTERS_MS, prepareFilters } from './filters.ts';
import { subjectOf } from './subject.ts';
import { renderTemplate } from './template.ts';

const TOO_LONG = 'This expression takes too long to evaluate here, so the flow would not start. Simplify it.';
/** Maximum number of characters of a comment or commit list in the list of events. */
const MAX_DETAIL_CHARS = 300;

export interface FlowPreviewsOptions {
  db: Db;
  issues: Issues;
  now: () => Date;
}

/** Previews the prompt and the filters of flows on past events. */
export class FlowPreviews {
  readonly #options: FlowPreviewsOptions;

  constructor(options: FlowPreviewsOptions) {
    this.#options = options;
  }

  /** Lists events of the kind that would start a flow, newest first. */
  async pastEvents(accountId: string, query: z.output<typeof pastEventsQuery>): Promise<PastEvent[]> {
    const { db } = this.#options;
    const type = query.trigger_event_type;
    const filter = {
      trackerId: query.trigger_event_source,
      organizationId: query.trigger_organization_id,
      projectId: query.trigger_project_id,
      types: type && FLOW_EVENTS[type].stream,
    };
    const ids = await newestEvents(db, accountId, filter, query.limit);
    const facts = await factsOfEvents(db, accountId, ids);
    return ids.flatMap((event) => {
      const trigger = facts.get(event)?.event;
      if (trigger === undefined) return [];
      const { coalesced: _, details, ...about } = trigger;
      const shown = Object.entries(details).map(([name, text]) => [name, truncate(text, MAX_DETAIL_CHARS)]);
      return [{ ...about, event, details: Object.fromEntries(shown) }];
    });
  }

  /**
   * Renders the prompt and evaluates the filters for an event, for an issue, or without a subject.
   *
   * @throws {AppError} `invalid` for an unknown subject, for a key that two trackers share, or for
   * an invalid or slow template or filter
   */
  async preview(accountId: string, request: FlowPreviewRequest): Promise<FlowPreview> {
    const template = request.prompt_template ?? '';
    const faults = textProblems(request.trigger_filters, template);
    if (faults.length > 0) throw invalid(faults);
    const { db } = this.#options;
    const facts = await factsOfTrigger(
      db,
      accountId,
      await subjectOf(this.#options, accountId, request, request),
    );
    const results = prepareFilters(request.trigger_filters).each(facts, new CpuBudget(FILTERS_MS));
    const tooLong = results.flatMap((passes, index) =>
      passes === null ? [{ path: `trigger_filters.${index}.value`, message: TOO_LONG }] : [],
    );
    if (tooLong.length > 0) throw invalid(tooLong);
    const filters = results.map((passes) => passes === true);
    return {
      prompt: renderTemplate(template, facts, createFence()),
      filters,
      passes: filters.every((passes) => passes),
    };
  }
}
