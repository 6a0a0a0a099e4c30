import { Button, Modal, Radio } from '@mantine/core';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { LEAVING } from '../../../app/shell/screen-keys.ts';
import { STATUS_LABELS } from '../../issues/filters/words.ts';
import classes from './bar.module.css';

type FormProps = {
  status: StatusFilter;
  /** Hears the draft on Apply. */
  onApply: (status: StatusFilter) => void;
  onClose: () => void;
};

/** Works on a draft: mounted when the dialog opens, it starts from the value of then. */
function StatusForm({ status, onApply, onClose }: FormProps) {
  const [draft, setDraft] = useState(status);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(draft);
      }}
    >
      <Radio.Group
        label="Issue Status"
        value={draft}
        onChange={(value) => setDraft(statusFilter.parse(value))}
      >
        <div className={classes.radios}>
          {(['opened', 'closed', 'all'] as const).map((value) => (
            <Radio key={value} value={value} label={STATUS_LABELS[value]} />
          ))}
        </div>
      </Radio.Group>
      <div className={classes.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled">
          Apply
        </Button>
      </div>
    </form>
  );
}

/** The Filters dialog where only the status can be chosen. Cancel, Escape and the cross leave everything as it was. */
export function StatusDialog({ opened, ...form }: FormProps & { opened: boolean }) {
  return (
    <Modal opened={opened} {...(opened ? {} : LEAVING)} onClose={form.onClose} title="Filters" size={420}>
      <StatusForm {...form} />
    </Modal>
  );
}
