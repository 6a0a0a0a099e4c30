import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { useFocusSoon } from '../../ui/fields/use-focus-soon.ts';
import classes from './scope-step.module.css';
import { ScopeTree } from './scope-tree.tsx';
import { type ScopeChoiceParts, useScopeChoice } from './use-scope-choice.ts';

/** Minimum number of rows for which the tree has a search field. */
const SEARCH_FROM_LINES = 12;

export type ScopeStepProps = ScopeChoiceParts & {
  onBack: () => void;
  saveLabel: 'Add' | 'Save';
  saving: boolean;
  /** Error shown after saving failed. */
  error: ReactNode;
};

function organizationsText(count: number): string {
  return `${count} ${count === 1 ? 'organization' : 'organizations'}`;
}

/** Step 2 of the tracker dialog: selects the organizations and projects to sync. */
export function ScopeStep({ onBack, saveLabel, saving, error, ...parts }: ScopeStepProps) {
  const { connection, organizations, draft } = parts;
  const choice = useScopeChoice(parts);
  const labelId = useId();
  const firstField = useFocusSoon<HTMLInputElement>();
  const loadingAll = choice.listsEnded !== null;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void choice.save();
      }}
    >
      <p className={classes.intro}>{connection.message}</p>
      <div className={classes.head}>
        <Checkbox
          ref={firstField}
          label="Select All"
          checked={choice.isWhole}
          indeterminate={!choice.isWhole && choice.selectedCount > 0}
          disabled={organizations.length === 0 || loadingAll}
          onChange={() => void choice.toggleAll()}
        />
        {choice.lines > SEARCH_FROM_LINES || choice.query !== '' ? (
          <TextInput
            className={classes.search ?? ''}
            value={choice.query}
            onChange={(event) => choice.setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
            placeholder="Search by name"
            aria-label="Search organizations and loaded projects"
            leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
          />
        ) : null}
        <span className={classes.count} role="status">
          {loadingAll
            ? `Loading projects: ${choice.listsEnded} of ${organizationsText(organizations.length)}`
            : `${choice.selectedCount} of ${organizationsText(organizations.length)}`}
        </span>
      </div>
      <span className="vh" id={labelId}>
        Organizations and projects
      </span>
      {choice.rows.length === 0 ? (
        <p className={classes.nothing}>
          {choice.query === ''
            ? 'This token has access to no organization. Check its access, or use another token.'
            : 'No matches.'}
        </p>
      ) : (
        <ScopeTree
          key={choice.query === '' ? 'all' : 'found'}
          rows={choice.rows}
          labelledBy={labelId}
          onActivate={choice.toggle}
          onExpand={(row, open) => choice.expand(row.organization.id, open)}
        />
      )}
      <Checkbox
        mt="md"
        label="Include future projects"
        description="Projects added later to a selected organization are included."
        checked={draft.future}
        onChange={(event) => choice.setFuture(event.currentTarget.checked)}
      />
      <div className={classes.messages}>
        {choice.problem === null ? error : <FormMessage tone="danger">{choice.problem}</FormMessage>}
      </div>
      <Group justify="space-between" gap="xs" mt="lg">
        <Button
          onClick={onBack}
          disabled={saving}
          leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
        >
          Back
        </Button>
        <Button type="submit" variant="filled" loading={saving || choice.settling} disabled={loadingAll}>
          {saveLabel}
        </Button>
      </Group>
    </form>
  );
}
