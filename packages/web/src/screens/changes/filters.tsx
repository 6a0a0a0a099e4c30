import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { CHANGE_STATUSES, changeKind, changeStatus } from '@winnow/contract/change';
import { type ReactNode, useState } from 'react';
import {
  type ChangesFilters,
  type ChangesSearch,
  isFiltered,
  KEY_LENGTH,
} from '../../features/changes/change-search.ts';
import { KIND_LABELS, KINDS_OFFERED } from '../../features/changes/change-texts.ts';
import classes from './filters.module.css';

const ANY_OPTION = '';
const STATUSES = [
  { value: ANY_OPTION, label: 'Any status' },
  ...changeStatus.options.map((value) => ({ value, label: CHANGE_STATUSES[value].label })),
];

/**
 * Returns the options of the kind filter. Includes the selected kind even if it is usually not
 * offered.
 */
function kindsFor(chosen: ChangesSearch['kind']) {
  const kinds =
    chosen === null || KINDS_OFFERED.includes(chosen) ? KINDS_OFFERED : [...KINDS_OFFERED, chosen];
  return [
    { value: ANY_OPTION, label: 'Any kind' },
    ...kinds.map((value) => ({ value, label: KIND_LABELS[value] })),
  ];
}

/**
 * Text field that filters by issue key. The filter applies when the user presses Enter or leaves
 * the field.
 */
function IssueField({ issue, onChange }: { issue: string; onChange: (issue: string) => void }) {
  const [draft, setDraft] = useState(issue);
  const [applied, setApplied] = useState(issue);
  // The filter changed outside of this field, for example by Back, Forward or Clear all.
  if (issue !== applied) {
    setApplied(issue);
    setDraft(issue);
  }
  const apply = (text: string) => {
    if (text.trim() !== issue) onChange(text.trim());
  };
  return (
    <form
      className={classes.issue}
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
    >
      <TextInput
        aria-label="Issue key"
        placeholder="Issue key"
        autoComplete="off"
        spellCheck={false}
        maxLength={KEY_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => apply(draft)}
        rightSection={
          draft === '' ? null : (
            <CloseButton
              size="sm"
              aria-label="Clear the issue filter"
              // Keep the focus in the field, because leaving it would apply the current text.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setDraft('');
                apply('');
              }}
            />
          )
        }
      />
    </form>
  );
}

export type FiltersProps = {
  search: ChangesSearch;
  onChange: (filters: Partial<ChangesFilters>) => void;
  /** Content at the end of the filter bar. */
  children: ReactNode;
};

/** Bar with filters by status, kind and issue. */
export function Filters({ search, onChange, children }: FiltersProps) {
  return (
    <div className={classes.bar}>
      <NativeSelect
        aria-label="Status"
        data={STATUSES}
        value={search.status ?? ANY_OPTION}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: value === ANY_OPTION ? null : changeStatus.parse(value) })
        }
      />
      <NativeSelect
        aria-label="Kind"
        data={kindsFor(search.kind)}
        value={search.kind ?? ANY_OPTION}
        onChange={({ currentTarget: { value } }) =>
          onChange({ kind: value === ANY_OPTION ? null : changeKind.parse(value) })
        }
      />
      <IssueField issue={search.issue} onChange={(issue) => onChange({ issue })} />
      {isFiltered(search) ? (
        <Button
          size="xs"
          variant="subtle"
          color="neutral"
          onClick={() => onChange({ status: null, kind: null, issue: '' })}
        >
          Clear all
        </Button>
      ) : null}
      <span className={classes.grow} />
      {children}
    </div>
  );
}
