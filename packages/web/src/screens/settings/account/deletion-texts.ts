import { countText } from '../../../ui/texts/count-text.ts';

/**
 * States what else ends when the account is deleted. `planName` is null without a paid
 * subscription. It is empty if the plan was deleted.
 */
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
