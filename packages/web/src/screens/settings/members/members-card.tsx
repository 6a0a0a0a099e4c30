import { ActionIcon, Button, Menu, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCrown, IconDots, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { isAtLeast, ROLES, type Role, role as roles } from '@winnow/contract/role';
import type { Member } from '@winnow/contract/workspace';
import { useState } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { useCurrentUser } from '../../../features/account/current-user.ts';
import { usePermission } from '../../../features/workspaces/permission.tsx';
import { useWorkspace } from '../../../features/workspaces/queries.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { pageRange } from '../../../ui/data-list/page-range.ts';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import table from '../settings-list.module.css';
import { InviteDialog } from './invite-dialog.tsx';
import { memberName } from './member-name.ts';
import classes from './members.module.css';
import { MEMBERS_PER_PAGE, useChangeRole, useMembers, useTransferOwnership } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';

const SEARCH_PAUSE_MS = 250;

/** Lists the members with their roles, and changes them. */
export function MembersCard() {
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS);
  const [page, setPage] = useState(1);
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<{ opened: boolean; member: Member | null }>({
    opened: false,
    member: null,
  });
  const [heir, setHeir] = useState<Member | null>(null);
  const members = useMembers({ search: typed, skip: (page - 1) * MEMBERS_PER_PAGE });
  const mayManage = usePermission('manage').allowed;
  const change = useChangeRole();
  const transfer = useTransferOwnership();
  const shown = members.data;
  const failure = change.error ?? null;
  return (
    <Card
      title="Members"
      actions={
        mayManage ? (
          <Button
            size="xs"
            variant="filled"
            leftSection={<IconUserPlus size={14} stroke={2} aria-hidden />}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        ) : null
      }
    >
      <div className={classes.bar}>
        <TextInput
          className={classes.search ?? ''}
          aria-label="Search members"
          placeholder="Search by name or email address"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
      </div>
      <div className={classes.failure} role="status">
        {failure === null ? null : <FormMessage tone="danger">{sentenceOf(failure)}</FormMessage>}
      </div>
      {members.isError ? (
        <ErrorState
          error={members.error}
          title="Failed to load the members"
          onRetry={() => void members.refetch()}
          retrying={members.isFetching}
        />
      ) : shown === undefined ? (
        <Loading label="Loading members">
          <RowsSkeleton rows={4} />
        </Loading>
      ) : shown.total === 0 ? (
        <p className={classes.foot}>No member’s name or email address contains “{typed}”.</p>
      ) : (
        <>
          <table {...TABLE_ROLES.table} className={`${table.table} ${classes.columns}`} aria-label="Members">
            <thead {...TABLE_ROLES.group} className={table.head}>
              <tr {...TABLE_ROLES.row} className={table.headRow}>
                <th {...TABLE_ROLES.head}>Name</th>
                <th {...TABLE_ROLES.head}>Role</th>
                <th {...TABLE_ROLES.head}>Second factor</th>
                <th {...TABLE_ROLES.head}>Last sign-in</th>
                <th {...TABLE_ROLES.head}>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody {...TABLE_ROLES.group} className={table.body}>
              {shown.members.map((member) => (
                <Row
                  key={member.user_id}
                  member={member}
                  isPending={change.isPending && change.variables.member.user_id === member.user_id}
                  onRole={(chosen) => change.mutate({ member, role: chosen })}
                  onTransfer={() => setHeir(member)}
                  onRemove={() => setRemoving({ opened: true, member })}
                />
              ))}
            </tbody>
          </table>
          {shown.total <= MEMBERS_PER_PAGE ? null : (
            <div className={classes.pages}>
              <span>{pageRange(page, MEMBERS_PER_PAGE, shown.total).range}</span>
              <Button size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
                Previous
              </Button>
              <Button
                size="xs"
                disabled={page * MEMBERS_PER_PAGE >= shown.total}
                onClick={() => setPage(page + 1)}
              >
                Next
              </Button>
            </div>
          )}
        </>
      )}
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
      <RemoveMember {...removing} onClose={() => setRemoving({ ...removing, opened: false })} />
      <ConfirmDialog
        opened={heir !== null}
        title="Transfer ownership"
        confirmLabel="Transfer"
        destructive
        pending={transfer.isPending}
        error={transfer.error}
        onClose={() => {
          setHeir(null);
          transfer.reset();
        }}
        onConfirm={() => {
          if (heir !== null) transfer.mutate(heir, { onSuccess: () => setHeir(null) });
        }}
      >
        {heir === null ? '' : memberName(heir)} becomes an owner of this workspace, and you become an admin.
        Only an owner can give it back.
      </ConfirmDialog>
    </Card>
  );
}

function Row({
  member,
  isPending,
  onRole,
  onTransfer,
  onRemove,
}: {
  member: Member;
  isPending: boolean;
  onRole: (role: Role) => void;
  onTransfer: () => void;
  onRemove: () => void;
}) {
  const own = useWorkspace().data?.role ?? 'viewer';
  const isSelf = useCurrentUser().data?.id === member.user_id;
  const mayChange = usePermission('manage').allowed && isAtLeast(own, member.role);
  const name = memberName(member);
  const facts = [
    member.flows > 0 ? `${countText(member.flows)} ${member.flows === 1 ? 'flow' : 'flows'}` : '',
    member.api_keys > 0 ? `${countText(member.api_keys)} API ${member.api_keys === 1 ? 'key' : 'keys'}` : '',
  ].filter(Boolean);
  return (
    <tr {...TABLE_ROLES.row} className={table.row}>
      <th {...TABLE_ROLES.rowHead} className={`${table.name} ${classes.who}`}>
        <span>
          {name}{' '}
          {isSelf ? (
            <Badge tone="info" small>
              You
            </Badge>
          ) : null}
        </span>
        <small>{[member.email, ...facts].join(' · ')}</small>
      </th>
      <td {...TABLE_ROLES.cell} className={classes.role}>
        {mayChange ? (
          <Select
            aria-label={`Role of ${name}`}
            size="xs"
            data={roles.options
              .filter((one) => isAtLeast(own, one))
              .map((one) => ({ value: one, label: ROLES[one].label }))}
            allowDeselect={false}
            disabled={isPending}
            value={member.role}
            onChange={(chosen) => {
              const parsed = roles.safeParse(chosen).data;
              if (parsed !== undefined && parsed !== member.role) onRole(parsed);
            }}
          />
        ) : (
          ROLES[member.role].label
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.factor}>
        <span className={classes.label} aria-hidden>
          Second factor:{' '}
        </span>
        {member.has_second_factor ? (
          <Badge tone="success" small>
            On
          </Badge>
        ) : (
          <span className={classes.facts}>Off</span>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.seen}>
        <span className={classes.label} aria-hidden>
          Last sign-in:{' '}
        </span>
        {member.last_sign_in_at === null ? 'Never' : <RelativeTime at={member.last_sign_in_at} />}
      </td>
      <td {...TABLE_ROLES.cell} className={table.actions}>
        {mayChange && !isSelf ? (
          <Menu withinPortal={false} position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={`Actions for ${name}`}>
                <IconDots size={16} stroke={1.75} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {own === 'owner' ? (
                <Menu.Item leftSection={<IconCrown size={16} aria-hidden />} onClick={onTransfer}>
                  Transfer ownership…
                </Menu.Item>
              ) : null}
              <Menu.Item leftSection={<IconUserMinus size={16} aria-hidden />} onClick={onRemove}>
                Remove…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </td>
    </tr>
  );
}
