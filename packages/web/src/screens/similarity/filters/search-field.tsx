import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { QUERY_LENGTH } from '../../../features/pairs/pair-search.ts';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import classes from './filter-bar.module.css';

/** How long typing rests before what was typed is searched for. */
const PAUSE_MS = 450;

/** The element that `/` moves the focus to. */
export const SEARCH_FIELD_ID = 'similarity-search';

/** Searches keys and titles: on Enter, or when typing pauses. */
export function SearchField({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [draft, setDraft] = useState(query);
  const [seen, setSeen] = useState(query);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), PAUSE_MS);
  // Back, Forward and Clear all change the query from outside; what is just being typed is left as it is.
  if (query !== seen) {
    setSeen(query);
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
      maxLength={QUERY_LENGTH}
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
          // The browser would empty the field.
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
}
