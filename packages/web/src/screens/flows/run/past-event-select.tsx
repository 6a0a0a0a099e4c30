import { Select } from '@mantine/core';
import type { PastEvent } from '@winnow/contract/flow';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { type EventScope, usePastEvents } from '../../../features/flows/queries.ts';
import { relativeTimeText } from '../../../ui/texts/relative-time-text.ts';
import { eventText } from '../flow-texts.ts';

function labelOf({ type, issue_key, issue_title, project, occurred_at }: PastEvent): string {
  const subject = issue_key === null ? project : [issue_key, issue_title].filter((part) => part).join(' ');
  const when = relativeTimeText(Date.parse(occurred_at), Date.now());
  return [eventText(type), subject, when].filter((part) => part).join(' · ');
}

export type PastEventSelectProps = {
  /** Which events the flow listens to. */
  scope: EventScope;
  /** The number of the event. */
  value: number | null;
  onChange: (event: number | null) => void;
  error?: ReactNode;
};

/** One of the events that have been and would have started the flow. */
export function PastEventSelect({ scope, value, onChange, error }: PastEventSelectProps) {
  const events = usePastEvents(scope);
  const list = events.data ?? [];
  const isEmpty = events.data?.length === 0;
  return (
    <Select
      label="Event"
      placeholder={
        events.isPending ? 'Loading events' : isEmpty ? 'Nothing has happened yet' : 'Choose an event'
      }
      description={
        isEmpty ? 'Events are listed once a tracker tells of something. Take an issue meanwhile.' : undefined
      }
      data={list.map((event) => ({ value: String(event.event), label: labelOf(event) }))}
      disabled={isEmpty}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
      error={error ?? (events.error === null ? undefined : sentenceOf(events.error))}
    />
  );
}
