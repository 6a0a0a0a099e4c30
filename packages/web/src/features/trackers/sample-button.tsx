import { Button } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { sentenceOf } from '../../api/session/api-error.ts';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { useCreateSample } from './queries.ts';
import classes from './sample-button.module.css';

/**
 * Moves the focus from a button to the heading of the screen, because the button will disappear.
 */
function leaveFocus(button: HTMLButtonElement): () => void {
  return () => {
    if (document.activeElement !== button) return;
    document.querySelector('h1')?.focus({ preventScroll: true });
  };
}

/** Button that creates the sample backlog, to try Winnow without connecting a tracker. */
export function SampleButton({ size = 'sm' }: { size?: 'xs' | 'sm' }) {
  const create = useOneAtATime(useCreateSample());
  return (
    <div className={classes.place}>
      <Button
        ref={leaveFocus}
        size={size}
        leftSection={<IconBox size={16} stroke={1.75} aria-hidden />}
        loading={create.isPending}
        onClick={() => create.mutate()}
      >
        Explore with sample data
      </Button>
      {create.isError ? <FormMessage tone="danger">{sentenceOf(create.error)}</FormMessage> : null}
    </div>
  );
}
