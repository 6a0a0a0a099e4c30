import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { BaseHashes, ChangePreview } from '@winnow/contract/change';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { modifierName } from '../../ui/keyboard/key-cap.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import classes from './write-dialog.module.css';

/** State of the query for a change preview. */
export type Preview = Pick<
  UseQueryResult<ChangePreview>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>;

/** Display state of a preview. Only a current preview may be confirmed. */
export type PreviewState = {
  /** The preview to display; undefined if none is loaded. */
  shown: ChangePreview | undefined;
  /** True if the displayed preview was made for earlier input. */
  outdated: boolean;
  /** Issue hashes to send with the confirmation; null if the preview must not be confirmed. */
  confirmable: BaseHashes | null;
};

/** Returns how to display a preview. `asked` is false while required input is missing. */
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
  /** Text that states which input is missing; null if nothing is missing. */
  missing: string | null;
  /** Title displayed above the reason for refusing the preview. */
  refusedTitle: string;
  /** Renders the preview of the change. */
  children: (shown: ChangePreview) => ReactNode;
};

/** Preview of a change. Handles all states: loading, refused, outdated and current. */
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
  /** Content of the left column: the decision. */
  form: ReactNode;
  /** Content of the right column: the resulting writes. */
  writes: ReactNode;
  footer: ReactNode;
  /** The wider column. Default: `writes`. */
  wide?: 'form' | 'writes';
  onConfirm: () => void;
};

/**
 * Form with two columns above the buttons. Ctrl+Enter or Cmd+Enter confirms the decision. Plain
 * Enter in a text field does nothing.
 */
export function ConfirmForm({ form, writes, footer, wide = 'writes', onConfirm }: ConfirmFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    const isConfirming = event.ctrlKey || event.metaKey;
    // Prevent the browser from submitting the form when the user presses Enter in a text field.
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

/** Button that confirms the decision and shows its keyboard shortcut. */
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
