import { Select } from '@mantine/core';
import { mayAs } from '@winnow/contract/role';
import type { Member } from '@winnow/contract/workspace';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import forms from '../form.module.css';
import { memberName } from './member-name.ts';
import { useMembers, useRemoveMember } from './queries.ts';

const SWITCH_OFF = 'Switch them off';

/** Asks before a member is removed, and who gets the member's flows. */
export function RemoveMember({
  opened,
  member,
  onClose,
}: {
  opened: boolean;
  member: Member | null;
  onClose: () => void;
}) {
  const [heir, setHeir] = useState('');
  const removal = useOneAtATime(useRemoveMember());
  const candidates = (useMembers({ search: '', skip: 0 }).data?.members ?? []).filter(
    ({ user_id, role }) => user_id !== member?.user_id && mayAs(role, 'write'),
  );
  const close = () => {
    removal.reset();
    setHeir('');
    onClose();
  };
  const name = member === null ? '' : memberName(member);
  return (
    <ConfirmDialog
      opened={opened && member !== null}
      title="Remove a member"
      confirmLabel="Remove"
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={close}
      onConfirm={() => {
        if (member === null) return;
        removal.mutate({ member, flows_to: heir === '' ? null : heir }, { onSuccess: close });
      }}
    >
      <p>Remove {name} from this workspace?</p>
      <p className={forms.consequence}>
        {name} loses access immediately, and the member’s API keys for this workspace are revoked. Links and
        the email domain do not let the member in again.
      </p>
      {member !== null && member.flows > 0 ? (
        <Select
          mt="md"
          label={member.flows === 1 ? 'The member’s flow' : `The member’s ${member.flows} flows`}
          description="Choose who owns them from now on."
          data={[
            { value: '', label: SWITCH_OFF },
            ...candidates.map((one) => ({ value: one.user_id, label: memberName(one) })),
          ]}
          allowDeselect={false}
          value={heir}
          onChange={(chosen) => setHeir(chosen ?? '')}
        />
      ) : null}
    </ConfirmDialog>
  );
}
