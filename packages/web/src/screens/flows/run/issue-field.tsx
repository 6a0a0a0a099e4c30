import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FlowDefinition } from '@winnow/contract/flow';
import type { KeyboardEvent, ReactNode } from 'react';
import { useIssueChoices } from '../../../features/issues/issue-search.ts';
import { namesakes, withTracker } from '../../../features/issues/namesakes.ts';
import { projectSegment } from '../../../features/issues/project-segment.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import classes from './run.module.css';

/** How long typing rests before the server is asked. */
const PAUSE_MS = 200;
/** The longest key that the server takes. */
const LONGEST_KEY = 300;

/** An issue as it was typed or chosen. `id` is that of an offered issue, whose key alone may not tell which it is. */
export type NamedIssue = { text: string; id: string | null };

export const NO_ISSUE: NamedIssue = { text: '', id: null };

/** What the server is asked for. */
export function nameOf({ text, id }: NamedIssue): string {
  return id ?? text.trim();
}

export type IssueFieldProps = {
  value: NamedIssue;
  onChange: (value: NamedIssue) => void;
  /** Where the flow listens: only issues of its tracker are offered. */
  place: Pick<FlowDefinition, 'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id'>;
  /** Enter, where no issue of those that are offered is being chosen with it. */
  onEnter?: () => void;
  error?: ReactNode;
};

/**
 * An issue by its key. What is typed is searched for, and what is found is offered, each issue by itself: two trackers
 * may have equal keys.
 */
export function IssueField({ value, onChange, place, onEnter, error }: IssueFieldProps) {
  const [searched] = useDebouncedValue(value.text.trim(), PAUSE_MS);
  const projects = useProjects().data ?? [];
  const trackerId =
    place.trigger_event_source ??
    projects.find(
      ({ id, organization_id }) =>
        id === place.trigger_project_id || organization_id === place.trigger_organization_id,
    )?.tracker_id;
  const segments = projects
    .filter(({ tracker_id }) => tracker_id === trackerId)
    .map(({ id }) => projectSegment(id));
  const found = useIssueChoices(searched, segments).data ?? [];
  const placeOf = namesakes(projects);
  const offered = new Map(found.map((issue) => [withTracker(issue.key, placeOf(issue.project_id)), issue]));
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key !== 'Enter' || onEnter === undefined) return;
    const isChoosing = event.currentTarget.hasAttribute('aria-activedescendant');
    event.preventDefault();
    if (!isChoosing) onEnter();
  }
  return (
    <Autocomplete
      data-autofocus
      label="Issue"
      description="Its key, such as acme/web#12 or PROJ-12, or words to search for."
      autoComplete="off"
      spellCheck={false}
      maxLength={LONGEST_KEY}
      maxDropdownHeight={260}
      data={[...offered.keys()]}
      // The server has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes.issue}>
          <code>{option.value}</code>
          <span dir="auto">{offered.get(option.value)?.title}</span>
        </span>
      )}
      value={value.text}
      onChange={(text) => onChange({ text, id: offered.get(text)?.id ?? null })}
      onKeyDown={press}
      error={error}
    />
  );
}
