import { Button } from '@mantine/core';
import { useState } from 'react';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../../ui/texts/relative-time.tsx';
import { CodeForm } from './code-form.tsx';
import { FactorModal } from './factor-modal.tsx';
import { useRemoveAuthenticator, useRenewCodes, useSecondFactors } from './queries.ts';
import classes from './second-factor.module.css';
import { SetupDialog } from './setup-dialog.tsx';

const CODE_HINT = 'From your authenticator app, or a recovery code.';
/** At most this many codes left: suggests new ones. */
const LOW_RECOVERY_CODES = 3;

type OpenDialog = 'setup' | 'renew' | 'remove' | null;

/** Two-factor sign-in: adds and removes an authenticator app, and replaces the recovery codes. */
export function SecondFactorCard() {
  const factors = useSecondFactors();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const renew = useOneAtATime(useRenewCodes());
  const remove = useOneAtATime(useRemoveAuthenticator());
  const close = () => setDialog(null);
  const current = factors.data;
  return (
    <Card title="Two-factor sign-in" inset>
      {factors.isError ? (
        <ErrorState
          error={factors.error}
          title="Failed to load second factors"
          onRetry={() => void factors.refetch()}
          retrying={factors.isFetching}
        />
      ) : current === undefined ? (
        <Loading label="Loading second factors">
          <TextSkeleton width="60%" />
        </Loading>
      ) : current.authenticator_added_at === null ? (
        <>
          <p className={classes.note}>
            An authenticator app on your phone protects your account if someone learns your password. Each
            sign-in then needs a code of the app. API keys need no code.
          </p>
          <div className={classes.buttons}>
            <Button variant="filled" onClick={() => setDialog('setup')}>
              Add authenticator app
            </Button>
          </div>
        </>
      ) : (
        <>
          <div className={classes.state}>
            <span>
              <Badge tone="success" small>
                On
              </Badge>{' '}
              Authenticator app, added <RelativeTime at={current.authenticator_added_at} />
            </span>
            <span className={classes.note}>
              {current.recovery_codes_left === 1
                ? '1 recovery code is left.'
                : `${current.recovery_codes_left} recovery codes are left.`}
              {current.recovery_codes_left <= LOW_RECOVERY_CODES ? ' Replace them before you run out.' : ''}
            </span>
          </div>
          <div className={classes.buttons}>
            <Button onClick={() => setDialog('renew')}>Replace recovery codes</Button>
            <Button onClick={() => setDialog('remove')}>Remove</Button>
          </div>
        </>
      )}
      <SetupDialog opened={dialog === 'setup'} onClose={close} />
      <FactorModal
        opened={dialog === 'renew'}
        title="Replace recovery codes"
        codes={renew.data?.recovery_codes ?? null}
        pending={renew.isPending}
        onClose={close}
        onClosed={() => renew.reset()}
      >
        <CodeForm
          description={CODE_HINT}
          action="Replace"
          pending={renew.isPending}
          error={renew.error}
          onSubmit={(code) => renew.mutate(code)}
          onCancel={close}
        >
          <p className={classes.note}>You get ten new codes. The previous ones stop working.</p>
        </CodeForm>
      </FactorModal>
      <FactorModal
        opened={dialog === 'remove'}
        title="Remove the authenticator app"
        codes={null}
        pending={remove.isPending}
        onClose={close}
        onClosed={() => remove.reset()}
      >
        <CodeForm
          description={CODE_HINT}
          action="Remove"
          destructive
          pending={remove.isPending}
          error={remove.error}
          onSubmit={(code) => remove.mutate(code, { onSuccess: close })}
          onCancel={close}
        >
          <p className={classes.note}>
            Signing in then needs the password only. The recovery codes stop working.
          </p>
        </CodeForm>
      </FactorModal>
    </Card>
  );
}
