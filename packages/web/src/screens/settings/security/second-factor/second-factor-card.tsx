import { Button } from '@mantine/core';
import type { SecondFactors } from '@winnow/contract/second-factor';
import { useState } from 'react';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { ConfirmFirst, useMustConfirmEmail } from '../../../../features/account/confirm-first.tsx';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { FormMessage } from '../../../../ui/fields/form-message.tsx';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../../ui/texts/relative-time.tsx';
import { FactorDialog } from './factor-dialog.tsx';
import { changedElsewhere, hasFactor } from './factor-texts.ts';
import { PasskeysCard } from './passkeys-card.tsx';
import { ProofForm } from './proof-form.tsx';
import { useRemoveAuthenticator, useRenewCodes, useSecondFactors } from './queries.ts';
import classes from './second-factor.module.css';
import { SetupDialog } from './setup-dialog.tsx';
import { useReturnFocus } from './use-return-focus.ts';

/** At most this many codes left: suggests new ones. */
const LOW_RECOVERY_CODES = 3;

/** Passkeys and two-factor sign-in. */
export function SecondFactorCards() {
  const factors = useSecondFactors();
  const current = factors.data;
  if (current === undefined) {
    return (
      <Card title="Two-factor sign-in" inset>
        {factors.isError ? (
          <ErrorState
            error={factors.error}
            title="Failed to load second factors"
            onRetry={() => void factors.refetch()}
            retrying={factors.isFetching}
          />
        ) : (
          <Loading label="Loading second factors">
            <TextSkeleton width="60%" />
          </Loading>
        )}
      </Card>
    );
  }
  return (
    <>
      <PasskeysCard factors={current} />
      <TwoFactorCard factors={current} />
    </>
  );
}

type OpenDialog = 'setup' | 'renew' | 'remove' | null;

/** Two-factor sign-in: adds and removes an authenticator app, and replaces the recovery codes. */
function TwoFactorCard({ factors }: { factors: SecondFactors }) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const renew = useOneAtATime(useRenewCodes());
  const remove = useOneAtATime(useRemoveAuthenticator());
  const focus = useReturnFocus();
  const mustConfirm = useMustConfirmEmail();
  const open = (which: OpenDialog) => {
    focus.remember();
    setNotice(null);
    setDialog(which);
  };
  const close = () => setDialog(null);
  const onError = (error: Error) => {
    const changed = changedElsewhere(error);
    if (changed === null) return;
    setNotice(changed);
    close();
  };
  const hasApp = factors.authenticator_added_at !== null;
  return (
    <Card title="Two-factor sign-in" inset>
      <ConfirmFirst what="add an authenticator app or a passkey" />
      {hasFactor(factors) ? (
        <div className={classes.state}>
          <span>
            <Badge tone="success" small>
              On
            </Badge>{' '}
            {factors.authenticator_added_at === null ? (
              'Signing in with the password also needs a passkey.'
            ) : (
              <>
                Authenticator app, added <RelativeTime at={factors.authenticator_added_at} />
              </>
            )}
          </span>
          <span className={classes.note}>
            {factors.recovery_codes_left === 1
              ? '1 recovery code is left.'
              : `${factors.recovery_codes_left} recovery codes are left.`}
            {factors.recovery_codes_left <= LOW_RECOVERY_CODES ? ' Replace them before you run out.' : ''}
          </span>
        </div>
      ) : (
        <p className={classes.note}>
          An authenticator app on your phone protects your account if someone learns your password. Each
          sign-in with the password then needs a code of the app. API keys need no code.
        </p>
      )}
      <div className={classes.buttons}>
        {hasFactor(factors) ? <Button onClick={() => open('renew')}>Replace recovery codes</Button> : null}
        {hasApp ? (
          <Button ref={focus.main} onClick={() => open('remove')}>
            Remove
          </Button>
        ) : (
          <Button
            ref={focus.main}
            variant={hasFactor(factors) ? 'default' : 'filled'}
            disabled={mustConfirm}
            onClick={() => open('setup')}
          >
            Add authenticator app
          </Button>
        )}
      </div>
      {notice === null ? null : <FormMessage tone="danger">{notice}</FormMessage>}
      <SetupDialog
        opened={dialog === 'setup'}
        factors={factors}
        onClose={close}
        onClosed={focus.restore}
        onError={onError}
      />
      <FactorDialog
        opened={dialog === 'renew'}
        title="Replace recovery codes"
        codes={renew.data?.recovery_codes ?? null}
        pending={renew.isPending}
        onClose={close}
        onClosed={() => {
          renew.reset();
          focus.restore();
        }}
      >
        <ProofForm
          factors={factors}
          action="Replace"
          pending={renew.isPending}
          error={renew.error}
          onSubmit={(proof) => renew.mutate(proof, { onError })}
          onCancel={close}
        >
          <p className={classes.note}>You get ten new codes. The previous ones stop working.</p>
        </ProofForm>
      </FactorDialog>
      <FactorDialog
        opened={dialog === 'remove'}
        title="Remove the authenticator app"
        codes={null}
        pending={remove.isPending}
        onClose={close}
        onClosed={() => {
          remove.reset();
          focus.restore();
        }}
      >
        <ProofForm
          factors={factors}
          action="Remove"
          destructive
          pending={remove.isPending}
          error={remove.error}
          onSubmit={(proof) => remove.mutate(proof, { onError, onSuccess: close })}
          onCancel={close}
        >
          <p className={classes.note}>
            {factors.passkeys.length === 0
              ? 'Signing in then needs the password only. The recovery codes stop working.'
              : 'Signing in with the password then needs a passkey or a recovery code.'}
          </p>
        </ProofForm>
      </FactorDialog>
    </Card>
  );
}
