import { useWindowEvent } from '@mantine/hooks';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardQuestion, type DiscardTexts } from './discard-question.tsx';

export type UnsavedGuardProps = {
  /** True if there is unsaved input. */
  unsaved: boolean;
  /** True while the question is shown. */
  asking: boolean;
  /** Replaces the default texts of the question. */
  texts?: DiscardTexts;
  /** Called when the user leaves by Back or a link. The caller then sets `asking`. */
  onAsk: () => void;
  onKeep: () => void;
  onDiscard: () => void;
};

/**
 * Prevents the loss of unsaved input in an open dialog. Leaving the screen asks the user first, and
 * the browser asks before it closes or reloads the page. Does not block changes of the query
 * parameters that the screen makes itself.
 *
 * Render it as soon as the dialog opens: a blocker becomes active only after two renderings.
 */
export function UnsavedGuard({ unsaved, asking, texts, onAsk, onKeep, onDiscard }: UnsavedGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving = historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname;
    if (!unsaved || !isLeaving) return false;
    onAsk();
    return true;
  });
  useWindowEvent('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
  // If the user keeps the input, cancels the blocked navigation.
  useEffect(() => {
    if (!asking && blocker.state === 'blocked') blocker.reset();
  }, [asking, blocker]);
  if (!asking) return null;
  return (
    <DiscardQuestion
      {...(texts && { texts })}
      onKeep={onKeep}
      onDiscard={() => {
        onDiscard();
        if (blocker.state === 'blocked') blocker.proceed();
      }}
    />
  );
}
