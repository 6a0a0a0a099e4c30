import { countText } from '../../../ui/texts/count-text.ts';

/**
 * Describes what else the deletion ends. `planName` is null without a paid subscription, and empty
 * if the plan was removed.
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
