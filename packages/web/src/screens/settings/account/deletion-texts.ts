import { countText } from '../../../ui/texts/count-text.ts';

/** What ends elsewhere with the account. `planName` is null where nothing is paid, and empty for a plan that is no more. */
export function endingText({
  planName,
  withWebhooks,
}: {
  planName: string | null;
  withWebhooks: number;
}): string {
  const paid =
    planName === null ? [] : [`${`Your ${planName}`.trim()} subscription ends now, without a refund.`];
  const webhooks =
    withWebhooks === 0
      ? []
      : [
          `The webhooks of ${withWebhooks === 1 ? '1 tracker' : `${countText(withWebhooks)} trackers`} are removed.`,
        ];
  return [...paid, ...webhooks].join(' ');
}
