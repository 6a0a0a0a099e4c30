import type { AiModel } from '@winnow/contract/ai-model';
import { RelativeTime } from '../../ui/texts/relative-time.tsx';

/** States when a model last responded. */
export function LastSuccess({ health }: Pick<AiModel, 'health'>) {
  if (health.last_success_at === null) return <>The model has not answered yet.</>;
  return (
    <>
      Last success: <RelativeTime at={health.last_success_at} />.
    </>
  );
}
