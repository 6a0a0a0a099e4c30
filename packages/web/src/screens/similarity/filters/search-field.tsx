import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { MAX_PAIR_QUERY_CHARS } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import classes from './filter-bar.module.css';

/** Pause in typing before the search starts. */
const TYPING_PAUSE_MS = 450;

/** Element focused by the `/` key. */
export const SEARCH_FIELD_ID = 'similarity-search';

/** Search field for keys and titles, applied on Enter or after a pause in typing. */
export function SearchField({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [draft, setDraft] = useState(query);
  const [applied, setApplied] = useState(query);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), TYPING_PAUSE_MS);
  // Back, Forward and Clear all change the query from outside. Keep text that is being typed.
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
          // Prevent the browser from clearing the field.
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
}
