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
  /** Called when the user tries to leave by Back or a link. The caller must then set `asking`. */
  onAsk: () => void;
  onKeep: () => void;
  onDiscard: () => void;
};

/**
 * Prevents the loss of unsaved input in an open dialog.
 * If the user leaves the screen, a question appears first. If the user closes or reloads the page,
 * the browser asks. The screen can still change its own query parameters.
 *
 * Render this component as soon as the dialog opens: it takes two renderings to become active.
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
  // Cancels the blocked navigation if the user retains the input.
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
