import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { MAX_QUERY_CHARS } from '@winnow/contract/search';
import { useState } from 'react';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import classes from './bar.module.css';

/** Id of the search field, which the `/` key focuses. */
export const SEARCH_FIELD_ID = 'compliance-search';

/** Form that searches issues when the user presses Enter or clicks the button. */
export function SearchForm({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [draft, setDraft] = useState(query);
  const [syncedQuery, setSyncedQuery] = useState(query);
  // The search text changed outside of this field, for example by Back, Forward or Clear all.
  if (query !== syncedQuery) {
    setSyncedQuery(query);
    setDraft(query);
  }
  return (
    <search className={classes.searchPlace}>
      <form
        className={classes.search}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(draft.trim());
        }}
      >
        <TextInput
          id={SEARCH_FIELD_ID}
          className={classes.searchField ?? ''}
          type="search"
          aria-label="Search issues"
          placeholder="Search issues by title, description, or ID..."
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_QUERY_CHARS}
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
                  onSearch('');
                }}
              />
            )
          }
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Prevent browsers from clearing the search field on Escape.
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  );
}
