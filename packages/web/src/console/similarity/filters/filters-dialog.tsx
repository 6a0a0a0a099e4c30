import { Button, Checkbox, Modal, Radio } from '@mantine/core';
import { type ResolutionFilter, resolutionFilter } from '@winnow/contract/duplicate';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { LEAVING } from '../../../app/shell/screen-keys.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/skeletons.tsx';
import { useOrganizations, useProjects } from '../queries.ts';
import type { SearchFilters } from '../search-params.ts';
import { RESOLUTION_LABELS, STATUS_LABELS } from './filter-bar.tsx';
import classes from './filters-dialog.module.css';
import { asFilter, groupProjects } from './project-tree.ts';
import { ProjectTreeField } from './project-tree-field.tsx';

export type FilterValues = Pick<SearchFilters, 'projects' | 'status' | 'resolution' | 'dismissed'>;

const STATUSES: readonly StatusFilter[] = ['opened', 'closed', 'all'];
const RESOLUTIONS: readonly ResolutionFilter[] = ['all', 'resolved', 'unresolved'];

type FormProps = { values: FilterValues; onApply: (values: FilterValues) => void; onCancel: () => void };

/** Works on drafts: mounted when the dialog opens, it starts from the values of then. */
function FiltersForm({ values, onApply, onCancel }: FormProps) {
  const [draft, setDraft] = useState(values);
  const projects = useProjects();
  const organizations = useOrganizations();
  const change = (part: Partial<FilterValues>) => setDraft((held) => ({ ...held, ...part }));
  const failed = projects.error ?? organizations.error;
  const loaded = projects.data !== undefined && organizations.data !== undefined;
  const groups = loaded ? groupProjects(organizations.data, projects.data) : null;
  const chosen = groups === null ? draft.projects : asFilter(draft.projects, groups);
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
            onChange={(next) => change({ projects: next })}
          />
        ) : null}
        <Radio.Group
          label="Issue Status"
          value={draft.status}
          onChange={(value) => change({ status: statusFilter.parse(value) })}
        >
          <div className={classes.radios}>
            {STATUSES.map((value) => (
              <Radio key={value} value={value} label={STATUS_LABELS[value]} />
            ))}
          </div>
        </Radio.Group>
        <Radio.Group
          label="Resolution Status"
          value={draft.resolution}
          onChange={(value) => change({ resolution: resolutionFilter.parse(value) })}
        >
          <div className={classes.radios}>
            {RESOLUTIONS.map((value) => (
              <Radio key={value} value={value} label={RESOLUTION_LABELS[value]} />
            ))}
          </div>
        </Radio.Group>
        <Checkbox
          label="Show the dismissed pairs instead"
          checked={draft.dismissed}
          onChange={(event) => change({ dismissed: event.currentTarget.checked })}
        />
      </div>
      <div className={classes.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled">
          Apply
        </Button>
      </div>
    </form>
  );
}

export type FiltersDialogProps = {
  opened: boolean;
  values: FilterValues;
  /** Hears the drafts on Apply. */
  onApply: (values: FilterValues) => void;
  onClose: () => void;
};

/** The Filters dialog. Cancel, Escape and the cross leave everything as it was. */
export function FiltersDialog({ opened, values, onApply, onClose }: FiltersDialogProps) {
  return (
    <Modal opened={opened} {...(opened ? {} : LEAVING)} onClose={onClose} title="Filters" size={420}>
      <FiltersForm values={values} onApply={onApply} onCancel={onClose} />
    </Modal>
  );
}
