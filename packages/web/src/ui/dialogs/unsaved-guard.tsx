import { useWindowEvent } from '@mantine/hooks';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardQuestion, type DiscardWords } from './discard-question.tsx';

export type UnsavedGuardProps = {
  /** Whether something is there that would be lost. */
  unsaved: boolean;
  /** Whether it is being asked. */
  asking: boolean;
  /** How it is asked, when it is not about what was typed. */
  words?: DiscardWords;
  /** Somebody goes away by Back or a link: it is to be asked. */
  onAsk: () => void;
  onKeep: () => void;
  onDiscard: () => void;
};

/**
 * Put into a dialog while it is open: once something is typed, leaving the screen waits for the answer whether that is to be
 * lost, and the browser asks before it closes or loads the page. Steps that the screen takes itself are none of its business.
 * It stands there before anything is typed because a blocker takes two renderings to be known to the router.
 */
export function UnsavedGuard({ unsaved, asking, words, onAsk, onKeep, onDiscard }: UnsavedGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving = historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname;
    if (!unsaved || !isLeaving) return false;
    onAsk();
    return true;
  });
  useWindowEvent('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
  // However the question was answered with no, the way is given up.
  useEffect(() => {
    if (!asking && blocker.state === 'blocked') blocker.reset();
  }, [asking, blocker]);
  if (!asking) return null;
  return (
    <DiscardQuestion
      {...(words && { words })}
      onKeep={onKeep}
      onDiscard={() => {
        onDiscard();
        if (blocker.state === 'blocked') blocker.proceed();
      }}
    />
  );
}
