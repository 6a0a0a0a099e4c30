import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { useReplaceWebhookSecret } from '../../../features/trackers/queries.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';

/**
 * Replaces the secret of webhooks after a confirmation. Then shows until when the previous secret
 * is valid.
 */
export function ReplaceSecret({
  trackerId,
  formerAcceptedUntil,
}: {
  trackerId: string;
  formerAcceptedUntil: string | null;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const replacement = useOneAtATime(useReplaceWebhookSecret(trackerId));
  return (
    <>
      {isAsking ? (
        <p>
          Webhooks created by Winnow get the new secret automatically. Paste it into those you created
          manually. The previous secret stays valid for a day, or until all webhooks use the new one.
        </p>
      ) : null}
      {isAsking && replacement.isError ? <ErrorState error={replacement.error} /> : null}
      <Group gap="xs">
        {/* Use the same button to open and cancel, so that the focus is on Cancel after
            opening. */}
        <Button size="xs" onClick={() => setIsAsking(!isAsking)}>
          {isAsking ? 'Cancel' : 'Replace the secret'}
        </Button>
        {isAsking ? (
          <Button
            size="xs"
            variant="filled"
            loading={replacement.isPending}
            onClick={() => replacement.mutate(undefined, { onSuccess: () => setIsAsking(false) })}
          >
            Replace
          </Button>
        ) : null}
      </Group>
      <p role="status">
        {formerAcceptedUntil === null ? null : (
          <>
            The previous secret stops working <RelativeTime at={formerAcceptedUntil} />.
          </>
        )}
      </p>
    </>
  );
}
