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

const ANY = '';
const STATUSES = [
  { value: ANY, label: 'Any status' },
  ...changeStatus.options.map((value) => ({ value, label: CHANGE_STATUSES[value].label })),
];

/** The kinds to choose from, with the one in the address whatever it is. */
function kindsFor(chosen: ChangesSearch['kind']) {
  const kinds =
    chosen === null || KINDS_OFFERED.includes(chosen) ? KINDS_OFFERED : [...KINDS_OFFERED, chosen];
  return [{ value: ANY, label: 'Any kind' }, ...kinds.map((value) => ({ value, label: KIND_LABELS[value] }))];
}

/** An issue by its key, taken on Enter. */
function IssueField({ issue, onChange }: { issue: string; onChange: (issue: string) => void }) {
  const [draft, setDraft] = useState(issue);
  const [seen, setSeen] = useState(issue);
  // Back, Forward and Clear all change it from outside.
  if (issue !== seen) {
    setSeen(issue);
    setDraft(issue);
  }
  const take = (text: string) => {
    if (text.trim() !== issue) onChange(text.trim());
  };
  return (
    <form
      className={classes.issue}
      onSubmit={(event) => {
        event.preventDefault();
        take(draft);
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
        onBlur={() => take(draft)}
        rightSection={
          draft === '' ? null : (
            <CloseButton
              size="sm"
              aria-label="Clear the issue"
              // The field would take what it holds when it loses the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setDraft('');
                take('');
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
  /** Stands at the end of the line. */
  children: ReactNode;
};

/** What decides which changes are listed: status, kind, issue. */
export function Filters({ search, onChange, children }: FiltersProps) {
  return (
    <div className={classes.bar}>
      <NativeSelect
        aria-label="Status"
        data={STATUSES}
        value={search.status ?? ANY}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: value === ANY ? null : changeStatus.parse(value) })
        }
      />
      <NativeSelect
        aria-label="Kind"
        data={kindsFor(search.kind)}
        value={search.kind ?? ANY}
        onChange={({ currentTarget: { value } }) =>
          onChange({ kind: value === ANY ? null : changeKind.parse(value) })
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
