import { Button, Modal, Radio } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { useOrganizations, useProjects } from '../queries.ts';
import classes from './filters-dialog.module.css';
import { groupProjects, toProjectFilter } from './project-tree.ts';
import { ProjectTreeField } from './project-tree-field.tsx';

/** Filters that all lists of issues have. */
export type IssueFilters = { projects: readonly string[]; status: string };

type FormProps<Values extends IssueFilters> = {
  values: Values;
  /** Labels of the statuses that the user can choose. */
  statuses: Readonly<Record<Values['status'], string>>;
  /** Label of the status field. */
  statusLabel?: string;
  /** Renders additional filter fields with the draft values. */
  more?: ((draft: Values, change: (part: Partial<Values>) => void) => ReactNode) | undefined;
  /** Called with the draft values when the user clicks Apply. */
  onApply: (values: Values) => void;
  onClose: () => void;
};

/** Form that edits a draft of the filters. The draft is initialized when the dialog opens. */
function FiltersForm<Values extends IssueFilters>(props: FormProps<Values>) {
  const { values, statuses, statusLabel = 'Issue Status', more, onApply, onClose } = props;
  const [draft, setDraft] = useState(values);
  const projects = useProjects();
  const organizations = useOrganizations();
  const change = (part: Partial<Values>) => setDraft((previous) => ({ ...previous, ...part }));
  const changeShared = (part: Partial<IssueFilters>) => setDraft((previous) => ({ ...previous, ...part }));
  const failed = projects.error ?? organizations.error;
  const loaded = projects.data !== undefined && organizations.data !== undefined;
  const groups = loaded ? groupProjects(organizations.data, projects.data) : null;
  const chosen = groups === null ? draft.projects : toProjectFilter(draft.projects, groups);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply({ ...draft, projects: chosen });
      }}
    >
      <div className={classes.fields}>
        {groups === null && failed === null ? (
          <Loading label="Loading projects">
            <RowsSkeleton rows={3} rowHeight={32} lines={1} />
          </Loading>
        ) : null}
        {groups === null && failed !== null ? (
          <ErrorState
            error={failed}
            title="Failed to load projects."
            onRetry={() => void Promise.all([projects.refetch(), organizations.refetch()])}
          />
        ) : null}
        {groups !== null && groups.length > 0 ? (
          <ProjectTreeField
            groups={groups}
            chosen={draft.projects}
            onChange={(next) => changeShared({ projects: next })}
          />
        ) : null}
        <Radio.Group label={statusLabel} value={draft.status} onChange={(status) => changeShared({ status })}>
          <div className={classes.radios}>
            {Object.entries<string>(statuses).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </div>
        </Radio.Group>
        {more?.(draft, change)}
      </div>
      <div className={classes.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled">
          Apply
        </Button>
      </div>
    </form>
  );
}

export type FiltersDialogProps<Values extends IssueFilters> = FormProps<Values> & { opened: boolean };

/** Filters dialog. Cancel, Escape and the close button discard the edits. */
export function FiltersDialog<Values extends IssueFilters>(props: FiltersDialogProps<Values>) {
  const { opened, ...form } = props;
  return (
    <Modal opened={opened} {...(opened ? {} : LEAVING)} onClose={form.onClose} title="Filters" size={420}>
      <FiltersForm {...form} />
    </Modal>
  );
}
