import { Button } from '@mantine/core';
import { ROLES } from '@winnow/contract/role';
import type { Invitation } from '@winnow/contract/workspace';
import { useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { RemovalDialog } from '../../../ui/dialogs/removal-dialog.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './members.module.css';
import { useInvitations, useWithdraw } from './queries.ts';

/** Lists the open invitations. Shows nothing while there are none. */
export function InvitationsCard() {
  const invitations = useInvitations();
  const [withdrawal, setWithdrawal] = useState<{ opened: boolean; item: Invitation | null }>({
    opened: false,
    item: null,
  });
  const removal = useWithdraw();
  const list = invitations.data ?? [];
  if (!invitations.isError && list.length === 0 && withdrawal.item === null) return null;
  return (
    <Card title="Open invitations">
      {invitations.isError ? (
        <ErrorState
          error={invitations.error}
          title="Failed to load the invitations"
          onRetry={() => void invitations.refetch()}
          retrying={invitations.isFetching}
        />
      ) : (
        <ul className={classes.list} aria-label="Open invitations">
          {list.map((item) => (
            <li key={item.id} className={classes.line}>
              <div className={classes.main}>
                <span>{titleOf(item)}</span>
                <span className={classes.facts}>
                  {ROLES[item.role].label}
                  {item.invited_by === null ? '' : ` · by ${item.invited_by}`} ·{' '}
                  <RelativeTime at={item.created_at} />
                  {item.expires_at === null ? null : (
                    <>
                      {' '}
                      · ends <RelativeTime at={item.expires_at} />
                    </>
                  )}
                </span>
              </div>
              <Button
                size="xs"
                aria-label={`Withdraw: ${titleOf(item)}`}
                onClick={() => setWithdrawal({ opened: true, item })}
              >
                Withdraw
              </Button>
            </li>
          ))}
        </ul>
      )}
      <RemovalDialog
        {...withdrawal}
        title="Withdraw the invitation"
        confirmLabel="Withdraw"
        removal={removal}
        onClose={() => setWithdrawal({ ...withdrawal, opened: false })}
        onRemoved={() => setWithdrawal({ opened: false, item: null })}
      >
        {withdrawal.item === null ? '' : titleOf(withdrawal.item)}: no one can join with it anymore. Members
        who have joined stay.
      </RemovalDialog>
    </Card>
  );
}

function titleOf({ kind, email, domain, uses_left }: Invitation): string {
  if (kind === 'email') return email ?? '';
  if (kind === 'domain') return `Everyone at ${domain}`;
  return `Link for ${countText(uses_left ?? 0)} more ${uses_left === 1 ? 'person' : 'people'}`;
}
