import { Button, Group, Modal, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isAtLeast, ROLES, role as roles } from '@winnow/contract/role';
import {
  type CreatedInvitation,
  INVITATION_DAYS,
  type InvitationCreate,
  invitationCreate,
  MAX_LINK_USES,
} from '@winnow/contract/workspace';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useWorkspace } from '../../../features/workspaces/queries.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Copyable } from '../api-keys/copyable.tsx';
import forms from '../form.module.css';
import { useInvite } from './queries.ts';

const FIELDS = ['email', 'domain', 'max_uses', 'role'] as const;
type Values = {
  kind: InvitationCreate['kind'];
  role: string;
  email: string;
  domain: string;
  max_uses: number;
};
const INITIAL: Values = { kind: 'email', role: 'maintainer', email: '', domain: '', max_uses: 10 };

/** Returns the request for the entered values. Only the fields of its kind are sent. */
function requestOf({ kind, role, email, domain, max_uses }: Values): unknown {
  if (kind === 'email') return { kind, role, email };
  return kind === 'link' ? { kind, role, max_uses } : { kind, role, domain };
}

/** Invites people to the workspace: by email, by a link, or all of a domain. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const own = useWorkspace().data?.role ?? 'viewer';
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const form = useForm<Values>({
    initialValues: INITIAL,
    validate: (values) => {
      const { error } = invitationCreate.safeParse(requestOf(values));
      return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
    },
  });
  const invite = useOneAtATime(useInvite());
  const { error } = invite;
  const { kind } = form.values;
  const close = () => {
    if (invite.isPending) return;
    form.reset();
    invite.reset();
    setCreated(null);
    onClose();
  };
  const send = (values: Values) =>
    invite.mutate(invitationCreate.parse(requestOf(values)), {
      onSuccess: setCreated,
      onError: (failure) => form.setErrors(fieldErrorsOf(failure, FIELDS)),
    });
  return (
    <Modal opened={opened} onClose={close} title="Invite to the workspace" size="md">
      {created === null ? (
        <form noValidate onSubmit={form.onSubmit(send)}>
          <Stack gap="md">
            <SegmentedControl
              fullWidth
              aria-label="How to invite"
              data={[
                { value: 'email', label: 'By email' },
                { value: 'link', label: 'By link' },
                { value: 'domain', label: 'By domain' },
              ]}
              {...form.getInputProps('kind')}
            />
            {kind === 'email' ? (
              <TextInput
                data-autofocus
                label="Email address"
                description={`The link in the email works once, for ${INVITATION_DAYS} days, with an account of this address.`}
                type="email"
                autoComplete="off"
                {...form.getInputProps('email')}
              />
            ) : kind === 'link' ? (
              <NumberInput
                label="Maximum number of people"
                description={`Everyone with the link can join until the limit is reached, for ${INVITATION_DAYS} days.`}
                min={1}
                max={MAX_LINK_USES}
                {...form.getInputProps('max_uses')}
              />
            ) : (
              <TextInput
                label="Domain"
                description="Everyone with a confirmed email address of this domain can join. It must be the domain of your address."
                placeholder="example.com"
                autoComplete="off"
                {...form.getInputProps('domain')}
              />
            )}
            <Select
              label="Role"
              data={roles.options
                .filter((one) => one !== 'owner' && isAtLeast(own, one))
                .map((one) => ({ value: one, label: ROLES[one].label }))}
              description={ROLES[roles.safeParse(form.values.role).data ?? 'viewer'].description}
              allowDeselect={false}
              {...form.getInputProps('role')}
            />
            {error !== null && Object.keys(fieldErrorsOf(error, FIELDS)).length === 0 ? (
              <ErrorState error={error} />
            ) : null}
          </Stack>
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button onClick={close} disabled={invite.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="filled" loading={invite.isPending}>
              {kind === 'email' ? 'Send invitation' : kind === 'link' ? 'Create link' : 'Open to the domain'}
            </Button>
          </Group>
        </form>
      ) : (
        <>
          <Stack gap="md">
            <p>
              {created.kind === 'domain'
                ? `Everyone with a confirmed address at ${created.domain} can now join as ${ROLES[created.role].label}.`
                : created.kind === 'email'
                  ? `The invitation to ${created.email} is on its way.`
                  : 'The link is ready. Give it only to people who may join.'}
            </p>
            {created.link === null ? null : (
              <Copyable label="Invitation link" text={created.link} onCopied={noop} />
            )}
            {created.link === null ? null : <p className={forms.note}>This link is shown only now.</p>}
          </Stack>
          <Group justify="flex-end" mt="lg">
            <Button variant="filled" onClick={close}>
              Done
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}

const noop = () => undefined;
