import { Button, Checkbox, Modal, Radio } from '@mantine/core';
import { statusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { STATUS_LABELS } from '../../../features/issues/filters/filter-texts.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import type { DependenciesSearch } from '../search-params.ts';
import classes from './bar.module.css';

type Filters = Pick<DependenciesSearch, 'status' | 'show'>;

type FormProps = {
  filters: Filters;
  /** Called with the edited filters when the user clicks Apply. */
  onApply: (filters: Filters) => void;
  onClose: () => void;
};

/**
 * Form that edits a draft of the filters. It is mounted whenever the dialog opens, so the draft
 * starts with the current filters.
 */
function FiltersForm({ filters, onApply, onClose }: FormProps) {
  const [draft, setDraft] = useState(filters);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(draft);
      }}
    >
      <Radio.Group
        label="Issue Status"
        value={draft.status}
        onChange={(value) => setDraft({ ...draft, status: statusFilter.parse(value) })}
      >
        <div className={classes.radios}>
          {(['opened', 'closed', 'all'] as const).map((value) => (
            <Radio key={value} value={value} label={STATUS_LABELS[value]} />
          ))}
        </div>
      </Radio.Group>
      <Checkbox
        mt={20}
        label="Only issues with dependencies"
        checked={draft.show === 'dependent'}
        onChange={({ currentTarget: { checked } }) =>
          setDraft({ ...draft, show: checked ? 'dependent' : 'all' })
        }
      />
      <div className={classes.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled">
          Apply
        </Button>
      </div>
    </form>
  );
}

/** Filters dialog. Cancel, Escape and the close button discard the edits. */
export function FiltersDialog({ opened, ...form }: FormProps & { opened: boolean }) {
  return (
    <Modal opened={opened} {...(opened ? {} : LEAVING)} onClose={form.onClose} title="Filters" size={420}>
      <FiltersForm {...form} />
    </Modal>
  );
}
