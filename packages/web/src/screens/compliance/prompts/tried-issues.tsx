import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_TRIED_ISSUES } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { MAX_QUERY_CHARS } from '@winnow/contract/search';
import { useState } from 'react';
import { TYPING_PAUSE_MS } from '../../../api/query/typing-pause.ts';
import { useIssueChoices } from '../../../features/issues/issue-search.ts';
import { withTracker } from '../../../features/issues/namesakes.ts';
import { useNamesakeLookup } from '../../../features/issues/tracker-mark.tsx';

export type TriedIssuesProps = {
  /** Issues suggested until the user types a search text. */
  listed: readonly Issue[];
  chosen: readonly Issue[];
  onChoose: (issues: Issue[]) => void;
};

/**
 * Field that selects the issues on which a prompt is tried. Users can search by key or by words.
 */
export function TriedIssues({ listed, chosen, onChoose }: TriedIssuesProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const { data: found, isFetching } = useIssueChoices(searched);
  const placeOf = useNamesakeLookup();
  const offered = searched === '' ? listed : (found ?? []);
  const known = new Map([...chosen, ...offered].map((issue) => [issue.id, issue]));
  return (
    <MultiSelect
      label="Issues to try it on"
      description={`Up to ${MAX_TRIED_ISSUES}; search by key or by words.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...known.values()].map(({ id, key, project_id: projectId }) => ({
        value: id,
        label: withTracker(key, placeOf(projectId)),
      }))}
      renderOption={({ option }) => (
        <span dir="auto">
          {option.label} {known.get(option.value)?.title}
        </span>
      )}
      value={chosen.map(({ id }) => id)}
      maxValues={MAX_TRIED_ISSUES}
      searchable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={(text) => setTyped(text.slice(0, MAX_QUERY_CHARS))}
      // Show every result of the server, even if it does not contain the search text literally.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching' : 'No issues found'}
      maxDropdownHeight={240}
      onChange={(ids) => onChoose(ids.flatMap((id) => known.get(id) ?? []))}
    />
  );
}
