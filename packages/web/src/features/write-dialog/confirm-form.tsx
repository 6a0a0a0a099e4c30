import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { BaseHashes, ChangePreview } from '@winnow/contract/change';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { modifierName } from '../../ui/keyboard/key-cap.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import classes from './write-dialog.module.css';

/** What a change would write, as it was worked out last. */
export type Preview = Pick<
  UseQueryResult<ChangePreview>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>;

/** What a preview allows: only a current one may be confirmed. */
export type PreviewState = {
  /** The writes to show; undefined while there are none to show. */
  shown: ChangePreview | undefined;
  /** They are of what was typed before. */
  outdated: boolean;
  /** The hashes to write with; null while what is shown must not be confirmed. */
  confirmable: BaseHashes | null;
};

/** What may be done on a preview of something; `asked` is false while something is missing. */
export function previewState(preview: Preview, asked: boolean, pending: boolean): PreviewState {
  const { data, error, isFetching, isPlaceholderData } = preview;
  const shown = asked && error === null ? data : undefined;
  const isCurrent = shown !== undefined && !isPlaceholderData && !isFetching && !pending;
  return { shown, outdated: isPlaceholderData, confirmable: isCurrent ? shown.base_hashes : null };
}

function PreviewSkeleton() {
  return (
    <Loading label="Loading the preview">
      <div className={classes.previewSkeleton}>
        <TextSkeleton width="40%" height={14} />
        <TextSkeleton width="100%" height={72} />
        <TextSkeleton width="100%" height={72} />
        <TextSkeleton width="70%" height={14} />
      </div>
    </Loading>
  );
}

export type PreviewPaneProps = {
  preview: Preview;
  state: PreviewState;
  /** What is missing, in a sentence. */
  missing: string | null;
  /** Over the reason why it cannot be done. */
  refusedTitle: string;
  /** The writes. */
  children: (shown: ChangePreview) => ReactNode;
};

/** The writes of a change in each of their states: on their way, refused, of what was typed before, current. */
export function PreviewPane({ preview, state, missing, refusedTitle, children }: PreviewPaneProps) {
  const { error, refetch } = preview;
  const { shown, outdated } = state;
  return (
    <div aria-busy={outdated}>
      {error === null ? null : (
        <ErrorState error={error} title={refusedTitle} onRetry={() => void refetch()} />
      )}
      {missing === null ? null : <p className={classes.missing}>{missing}</p>}
      {shown === undefined && error === null && missing === null ? <PreviewSkeleton /> : null}
      {shown === undefined ? null : (
        <div className={outdated ? classes.outdated : undefined}>{children(shown)}</div>
      )}
    </div>
  );
}

export type ConfirmFormProps = {
  /** What is decided, at the left. */
  form: ReactNode;
  /** What follows from it, at the right. */
  writes: ReactNode;
  footer: ReactNode;
  /** Which of the two needs more room. */
  wide?: 'form' | 'writes';
  onConfirm: () => void;
};

/** Two columns over the buttons. Ctrl or Cmd with Enter confirms from anywhere in it; Enter in a line of text does nothing. */
export function ConfirmForm({ form, writes, footer, wide = 'writes', onConfirm }: ConfirmFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    const isConfirming = event.ctrlKey || event.metaKey;
    // Enter in a line of text is no decision.
    if (isConfirming || (event.target instanceof HTMLInputElement && event.target.type === 'text')) {
      event.preventDefault();
    }
    if (isConfirming) onConfirm();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.columns} data-wide={wide}>
        <div className={classes.form}>{form}</div>
        <div className={classes.writes}>{writes}</div>
      </div>
      {footer}
    </form>
  );
}

export type ConfirmButtonProps = {
  label: string;
  ready: boolean;
  pending: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** The button that confirms, with its keys. */
export function ConfirmButton({ label, ready, pending, ref }: ConfirmButtonProps) {
  return (
    <Button
      ref={ref}
      type="submit"
      variant="filled"
      className={classes.confirm ?? ''}
      disabled={!ready && !pending}
      loading={pending}
      rightSection={<kbd className={classes.confirmKeys}>{modifierName(navigator.platform)} ↵</kbd>}
    >
      {label}
    </Button>
  );
}
