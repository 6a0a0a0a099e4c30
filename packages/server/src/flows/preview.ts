import {
  FLOW_EVENTS,
  type FlowPreview,
  type FlowPreviewRequest,
  type PastEvent,
  type pastEventsQuery,
} from '@winnow/contract/flow';
import type { z } from 'zod';
import { createFence } from '../ai/fence.ts';
import type { Issues } from '../issues/service.ts';
import { invalid } from '../platform/errors.ts';
import { cutTo } from '../platform/text.ts';
import type { Db } from '../schema/tables.ts';
import { newestEvents } from '../tracker-events/service.ts';
import { factsAbout, factsOfEvents } from './facts.ts';
import { textFaults } from './faults.ts';
import { FILTERS_MS, prepareFilters } from './filters.ts';
import { SearchTime } from './search-time.ts';
import { subjectOf } from './subject.ts';
import { renderTemplate } from './template.ts';

const TOO_LONG =
  'It takes too long to look for this expression here, so that nothing starts the flow. Make it simpler.';
/** What of a comment or of commits a list of events shows. */
const LONGEST_DETAIL = 300;

export interface FlowPreviewsOptions {
  db: Db;
  issues: Issues;
  now: () => Date;
}

/** What flows would make of what has happened. */
export class FlowPreviews {
  readonly #options: FlowPreviewsOptions;

  constructor(options: FlowPreviewsOptions) {
    this.#options = options;
  }

  /** Events that flows could have started with, newest first. */
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
      const shown = Object.entries(details).map(([name, text]) => [name, cutTo(text, LONGEST_DETAIL)]);
      return [{ ...about, event, details: Object.fromEntries(shown) }];
    });
  }

  /**
   * The prompt as a model would be shown it, and which filters pass; for an event, an issue, or neither. 422 for
   * what is not there, for a template or filter that cannot be saved, or that takes too long, and for a key that two trackers share.
   */
  async preview(accountId: string, request: FlowPreviewRequest): Promise<FlowPreview> {
    const template = request.prompt_template ?? '';
    const faults = textFaults(request.trigger_filters, template);
    if (faults.length > 0) throw invalid(faults);
    const { db } = this.#options;
    const facts = await factsAbout(
      db,
      accountId,
      await subjectOf(this.#options, accountId, request, request),
    );
    const told = prepareFilters(request.trigger_filters).each(facts, new SearchTime(FILTERS_MS));
    const tooLong = told.flatMap((passes, index) =>
      passes === null ? [{ path: `trigger_filters.${index}.value`, message: TOO_LONG }] : [],
    );
    if (tooLong.length > 0) throw invalid(tooLong);
    const filters = told.map((passes) => passes === true);
    return {
      prompt: renderTemplate(template, facts, createFence()),
      filters,
      passes: filters.every((passes) => passes),
    };
  }
}
