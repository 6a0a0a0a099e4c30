import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { KeyboardEvent, ReactNode } from 'react';
import { useIssueChoices } from '../../../features/issues/issue-search.ts';
import classes from './run.module.css';

/** How long typing rests before the server is asked. */
const PAUSE_MS = 200;
/** The longest key that the server takes. */
const LONGEST_KEY = 300;

export type IssueFieldProps = {
  /** The key, or what is searched for. */
  value: string;
  onChange: (value: string) => void;
  /** Enter, where no issue of those that are offered is being chosen with it. */
  onEnter?: () => void;
  error?: ReactNode;
};

/** An issue by its key. What is typed is searched for, and what is found is offered. */
export function IssueField({ value, onChange, onEnter, error }: IssueFieldProps) {
  const [searched] = useDebouncedValue(value.trim(), PAUSE_MS);
  const found = useIssueChoices(searched).data ?? [];
  const titles = new Map(found.map(({ key, title }) => [key, title]));
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
      data={[...titles.keys()]}
      // The server has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes.issue}>
          <code>{option.value}</code>
          <span dir="auto">{titles.get(option.value)}</span>
        </span>
      )}
      value={value}
      onChange={onChange}
      onKeyDown={press}
      error={error}
    />
  );
}
