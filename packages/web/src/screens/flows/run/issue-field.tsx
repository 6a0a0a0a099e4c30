import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FlowDefinition } from '@winnow/contract/flow';
import type { KeyboardEvent, ReactNode } from 'react';
import { useIssueChoices } from '../../../features/issues/issue-search.ts';
import { namesakes, withTracker } from '../../../features/issues/namesakes.ts';
import { projectSegment } from '../../../features/issues/project-segment.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import classes from './run.module.css';

/** Pause in typing before the server is queried. */
const TYPING_PAUSE_MS = 200;
/** Maximum characters of a key that the API accepts. */
const MAX_KEY_CHARS = 300;

/** An issue as typed or chosen. `id` is set if it was chosen, since its key may be ambiguous. */
export type NamedIssue = { text: string; id: string | null };

export const NO_ISSUE: NamedIssue = { text: '', id: null };

/** Returns the id or key by which the API identifies the issue. */
export function nameOf({ text, id }: NamedIssue): string {
  return id ?? text.trim();
}

export type IssueFieldProps = {
  value: NamedIssue;
  onChange: (value: NamedIssue) => void;
  /** Place where the flow listens; only issues of its tracker are offered. */
  place: Pick<FlowDefinition, 'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id'>;
  /** Called on Enter, unless Enter chooses an offered issue. */
  onEnter?: () => void;
  error?: ReactNode;
};

/**
 * Issue field that offers search results. Results are listed separately, since two trackers may
 * have equal keys.
 */
export function IssueField({ value, onChange, place, onEnter, error }: IssueFieldProps) {
  const [searched] = useDebouncedValue(value.text.trim(), TYPING_PAUSE_MS);
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
      description="Issue key (acme/web#12, PROJ-12) or search words"
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_KEY_CHARS}
      maxDropdownHeight={260}
      data={[...offered.keys()]}
      // The server has already filtered the options.
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
