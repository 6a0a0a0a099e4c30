import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Issue } from '@winnow/contract/issue';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './issue-field.module.css';
import { useIssueChoices } from './issue-search.ts';
import { withTracker } from './namesakes.ts';
import { useNamesakeLookup } from './tracker-mark.tsx';

/** Pause in typing before the server is queried. */
const TYPING_PAUSE_MS = 200;
/** Maximum characters of a key that the API accepts. */
const MAX_KEY_CHARS = 300;

/** State of an issue field. */
export type IssueFieldState = {
  /** The text as typed, or the key of the chosen issue. */
  text: string;
  /**
   * The issue that was chosen, or whose key was typed in full. Null for any other text. The text
   * does not identify it, since two trackers may have equal keys.
   */
  issue: Issue | null;
  /** Issues that match the text, by the key that is offered. */
  offered: ReadonlyMap<string, Issue>;
  type: (text: string) => void;
};

/**
 * Returns the state of an issue field. `projects` limits the offered issues to projects, given by
 * the first segments of their ids; empty means every project.
 */
export function useIssueField(projects: readonly string[] = []): IssueFieldState {
  const [text, setText] = useState('');
  // Stored, because the search for the chosen key replaces the offered issues.
  const [chosen, setChosen] = useState<Issue | null>(null);
  const [searched] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const { data: found = [] } = useIssueChoices(searched, projects);
  const placeOf = useNamesakeLookup();
  const offered = new Map(found.map((issue) => [withTracker(issue.key, placeOf(issue.project_id)), issue]));
  function type(next: string): void {
    setText(next);
    setChosen(offered.get(next) ?? null);
  }
  return { text, issue: chosen ?? offered.get(text.trim()) ?? null, offered, type };
}

/** Returns the id or key by which the API identifies the issue of a field; empty without one. */
export function nameOfIssue({ text, issue }: IssueFieldState): string {
  return issue?.id ?? text.trim();
}

export type IssueFieldProps = {
  state: IssueFieldState;
  /** Called when the text changes. */
  onType?: () => void;
  /** Called on Enter, unless Enter chooses an offered issue. */
  onEnter?: () => void;
  error?: ReactNode;
};

/** Issue field that offers search results. */
export function IssueField({ state, onType, onEnter, error }: IssueFieldProps) {
  const { text, offered, type } = state;
  const [opened, setOpened] = useState(false);
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
      // An empty list counts as closed, so that Escape closes the dialog around the field.
      dropdownOpened={opened && offered.size > 0}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onBlur={() => setOpened(false)}
      // The server has already filtered the options.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <code>{option.value}</code>
          <span dir="auto">{offered.get(option.value)?.title}</span>
        </span>
      )}
      value={text}
      onChange={(next) => {
        type(next);
        onType?.();
      }}
      onKeyDown={press}
      error={error}
    />
  );
}
