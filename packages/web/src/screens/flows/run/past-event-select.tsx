import { Select } from '@mantine/core';
import type { PastEvent } from '@winnow/contract/flow';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { type EventScope, usePastEvents } from '../../../features/flows/queries.ts';
import { type NamesakeLookup, withTracker } from '../../../features/issues/namesakes.ts';
import { useNamesakeLookup } from '../../../features/issues/tracker-mark.tsx';
import { relativeTimeText } from '../../../ui/texts/relative-time-text.ts';
import { eventText } from '../flow-texts.ts';

function labelOf(event: PastEvent, placeOf: NamesakeLookup): string {
  const { type, issue_key, issue_title, project, project_id, occurred_at } = event;
  const named = issue_key ?? project;
  const placed = named === null ? null : withTracker(named, placeOf(project_id));
  const subject = [placed, issue_key === null ? null : issue_title].filter((part) => part).join(' ');
  const when = relativeTimeText(Date.parse(occurred_at), Date.now());
  return [eventText(type), subject, when].filter((part) => part).join(' · ');
}

export type PastEventSelectProps = {
  /** Tracker, project and type of the offered events, as in the trigger of the flow. */
  scope: EventScope;
  /** Number that identifies the selected event; null if none is selected. */
  value: number | null;
  onChange: (event: number | null) => void;
  error?: ReactNode;
};

/** Field that selects a past event of the kind that starts the flow. */
export function PastEventSelect({ scope, value, onChange, error }: PastEventSelectProps) {
  const events = usePastEvents(scope);
  const placeOf = useNamesakeLookup();
  const list = events.data ?? [];
  const isEmpty = events.data?.length === 0;
  return (
    <Select
      label="Event"
      placeholder={events.isPending ? 'Loading events' : isEmpty ? 'No events yet' : 'Choose an event'}
      description={
        isEmpty ? 'Events are listed once a tracker reports some. Use an issue until then.' : undefined
      }
      data={list.map((event) => ({ value: String(event.event), label: labelOf(event, placeOf) }))}
      disabled={isEmpty}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
      error={error ?? (events.error === null ? undefined : sentenceOf(events.error))}
    />
  );
}
