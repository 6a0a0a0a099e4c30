import { Button } from '@mantine/core';
import { MAX_PASSKEYS, type Passkey } from '@winnow/contract/passkey';
import type { SecondFactors } from '@winnow/contract/second-factor';
import { useState } from 'react';
import { useMustConfirmEmail } from '../../../../features/account/confirm-first.tsx';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { FormMessage } from '../../../../ui/fields/form-message.tsx';
import { RelativeTime } from '../../../../ui/texts/relative-time.tsx';
import lists from '../security.module.css';
import { AddPasskey } from './add-passkey.tsx';
import { changedElsewhere, passkeyObstacle } from './factor-texts.ts';
import { RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx';
import classes from './second-factor.module.css';
import { useReturnFocus } from './use-return-focus.ts';

type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey } | null;

function Row({ passkey, onOpen }: { passkey: Passkey; onOpen: (dialog: 'rename' | 'remove') => void }) {
  const { name, created_at, last_used_at, synced, password_required } = passkey;
  return (
    <li className={lists.row}>
      <div className={lists.main}>
        <span className={lists.name}>
          {name}
          <Badge tone="neutral" small>
            {synced ? 'Synced' : 'This device only'}
          </Badge>
          {password_required ? (
            <Badge tone="warning" small>
              Needs your password once
            </Badge>
          ) : null}
        </span>
        <span className={lists.facts}>
          <span>
            Added <RelativeTime at={created_at} />
          </span>
          {last_used_at === null ? (
            <span>Not used yet</span>
          ) : (
            <span>
              Last used <RelativeTime at={last_used_at} />
            </span>
          )}
        </span>
      </div>
      <Button size="xs" aria-label={`Rename the passkey ${name}`} onClick={() => onOpen('rename')}>
        Rename
      </Button>
      <Button size="xs" aria-label={`Remove the passkey ${name}`} onClick={() => onOpen('remove')}>
        Remove
      </Button>
    </li>
  );
}

/** The passkeys of the user: adds, renames and removes them. */
export function PasskeysCard({ factors }: { factors: SecondFactors }) {
  const [open, setOpen] = useState<Open>(null);
  /** Stays set while the closing dialog still shows its name. */
  const [chosen, setChosen] = useState<Passkey | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const focus = useReturnFocus();
  const mustConfirm = useMustConfirmEmail();
  const obstacle = passkeyObstacle(factors);
  const { passkeys } = factors;
  const show = (next: Open) => {
    focus.remember();
    setNotice(null);
    if (next !== null && 'passkey' in next) setChosen(next.passkey);
    setOpen(next);
  };
  const dialog = {
    factors,
    onClose: () => setOpen(null),
    onClosed: focus.restore,
    onError: (error: Error) => {
      const changed = changedElsewhere(error);
      if (changed === null) return;
      setNotice(changed);
      focus.forget();
      setOpen(null);
    },
  };
  return (
    <Card
      title="Passkeys"
      actions={
        obstacle === null && passkeys.length < MAX_PASSKEYS ? (
          <Button ref={focus.main} size="xs" disabled={mustConfirm} onClick={() => show({ dialog: 'add' })}>
            Add passkey
          </Button>
        ) : null
      }
    >
      {passkeys.length === 0 ? null : (
        <ul className={lists.list} aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onOpen={(which) => show({ dialog: which, passkey })} />
          ))}
        </ul>
      )}
      <p className={lists.foot}>
        {obstacle === null ? (
          <>
            A passkey signs you in without a password: your device or password manager checks that it is you.
            {passkeys.length >= MAX_PASSKEYS ? ` You have ${MAX_PASSKEYS} passkeys, the maximum.` : ''}
          </>
        ) : (
          <>
            {obstacle.text}{' '}
            {obstacle.origin === null ? null : (
              <a className="link" href={`${obstacle.origin}${window.location.pathname}`}>
                {obstacle.origin}
              </a>
            )}
          </>
        )}
      </p>
      {notice === null ? null : (
        <div className={classes.notice}>
          <FormMessage tone="danger">{notice}</FormMessage>
        </div>
      )}
      <AddPasskey opened={open?.dialog === 'add'} {...dialog} />
      {chosen === null ? null : (
        <>
          <RenamePasskey
            key={`rename ${chosen.id} ${chosen.name}`}
            opened={open?.dialog === 'rename'}
            passkey={chosen}
            {...dialog}
          />
          <RemovePasskey
            opened={open?.dialog === 'remove'}
            passkey={chosen}
            onRemoved={() => {
              focus.forget();
              setOpen(null);
            }}
            {...dialog}
          />
        </>
      )}
    </Card>
  );
}
