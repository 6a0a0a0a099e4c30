import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Issue } from '@winnow/contract/issue';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './issue-field.module.css';
import { useIssueChoices } from './issue-search.ts';
import { withTracker } from './namesakes.ts';
import { useNamesakeLookup } from './tracker-mark.tsx';

/** Delay after the last keystroke before the server is queried. */
const TYPING_PAUSE_MS = 200;
/** Maximum characters of a key that the API accepts. */
const MAX_KEY_CHARS = 300;

/** State of a text field in which the user selects an issue. */
export type IssueFieldState = {
  /** The text as typed, or the key of the chosen issue. */
  text: string;
  /**
   * The issue that the user selected, or whose key the user typed. Null for any other text. The
   * text alone does not identify the issue, since keys of two trackers may be equal.
   */
  issue: Issue | null;
  /** Suggested issues that match the text, by the key displayed in the suggestion. */
  offered: ReadonlyMap<string, Issue>;
  type: (text: string) => void;
};

/**
 * Returns the state of an issue field. `projects` limits the suggested issues to projects, given by
 * the first segments of their ids. If `projects` is empty, issues of every project are suggested.
 */
export function useIssueField(projects: readonly string[] = []): IssueFieldState {
  const [text, setText] = useState('');
  // The selected issue, stored because a search for its key replaces the suggested issues.
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

/**
 * Returns how the API identifies the issue: by id if known, otherwise by the typed key. Empty if
 * the field is empty.
 */
export function nameOfIssue({ text, issue }: IssueFieldState): string {
  return issue?.id ?? text.trim();
}

export type IssueFieldProps = {
  state: IssueFieldState;
  /** Called when the text changes. */
  onType?: () => void;
  /** Called when the user presses Enter, unless this selects a suggested issue. */
  onEnter?: () => void;
  error?: ReactNode;
};

/** Text field that suggests matching issues. */
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
      // Treat an empty dropdown as closed, so that Escape closes the dialog that contains this
      // field.
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
