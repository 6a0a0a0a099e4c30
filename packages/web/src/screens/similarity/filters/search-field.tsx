import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { MAX_PAIR_QUERY_CHARS } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import classes from './filter-bar.module.css';

/** Delay after the last keystroke before the search starts. */
const TYPING_PAUSE_MS = 450;

/** Id of the search field, which the `/` key focuses. */
export const SEARCH_FIELD_ID = 'similarity-search';

/**
 * Field that searches keys and titles. The search starts when the user presses Enter or pauses
 * typing.
 */
export function SearchField({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [draft, setDraft] = useState(query);
  const [applied, setApplied] = useState(query);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), TYPING_PAUSE_MS);
  // The search text changed outside of this field, for example by Back, Forward or Clear all. Keep
  // text that the user is typing.
  if (query !== applied) {
    setApplied(query);
    if (query !== draft.trim()) setDraft(query);
  }
  const searchNow = (text: string) => {
    search.cancel();
    onSearch(text.trim());
  };
  return (
    <TextInput
      id={SEARCH_FIELD_ID}
      className={classes.search ?? ''}
      type="search"
      aria-label="Search keys and titles"
      placeholder="Search"
      autoComplete="off"
      maxLength={MAX_PAIR_QUERY_CHARS}
      value={draft}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      rightSection={
        draft === '' ? (
          <KeyCap>/</KeyCap>
        ) : (
          <CloseButton
            size="sm"
            aria-label="Clear the search"
            onClick={() => {
              setDraft('');
              searchNow('');
            }}
          />
        )
      }
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          searchNow(event.currentTarget.value);
          event.currentTarget.blur();
        }
        if (event.key === 'Escape') {
          // Prevent browsers from clearing the search field on Escape.
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
}
