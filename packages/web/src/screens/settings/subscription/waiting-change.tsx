import { Alert, Button, Group } from '@mantine/core';
import { IconClockDollar, IconExternalLink } from '@tabler/icons-react';
import type { Plan, Subscription } from '@winnow/contract/plan';
import { cancelFailure, checkoutFailure } from '../../../features/plan-cards/plan-texts.ts';
import { useCancelWaiting, useCheckout } from '../../../features/plan-cards/queries.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { waitingText } from './subscription-texts.ts';

export interface WaitingChangeProps {
  current: Subscription | null;
  plans: readonly Plan[];
}

/** Notice of a plan change that awaits payment, with buttons that pay or cancel it. */
export function WaitingChange({ current, plans }: WaitingChangeProps) {
  const pay = useCheckout();
  const cancel = useCancelWaiting();
  const change = current?.waiting_change ?? null;
  if (current === null || change === null) return null;
  const { plan_id, interval } = change;
  const canceled = () =>
    showToast({ id: 'plan', kind: 'done', text: 'The change is canceled. Nothing is charged.' });
  return (
    <Alert
      mt="md"
      color="warning"
      role="status"
      title="Waiting for your payment"
      icon={<IconClockDollar size={16} aria-hidden />}
    >
      <p>{waitingText(current, change, plans)}</p>
      <Group mt="sm" gap="xs">
        <Button
          variant="filled"
          rightSection={<IconExternalLink size={16} stroke={1.75} aria-hidden />}
          loading={pay.isPending}
          onClick={() => pay.mutate({ plan_id, interval })}
        >
          Pay in Stripe
        </Button>
        <Button loading={cancel.isPending} onClick={() => cancel.mutate(undefined, { onSuccess: canceled })}>
          Cancel the change
        </Button>
      </Group>
      {pay.isError ? <FormMessage tone="danger">{checkoutFailure(pay.error)}</FormMessage> : null}
      {cancel.isError ? <FormMessage tone="danger">{cancelFailure(cancel.error)}</FormMessage> : null}
    </Alert>
  );
}
