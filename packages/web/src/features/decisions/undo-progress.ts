import type { Pair } from '@winnow/contract/duplicate';

/** Called before a decision is undone; the returned function is called with the restored pair. */
export type UndoFollower = () => (pair: Pair) => void;

const followers = new Set<UndoFollower>();

/** Registers a follower of every undo. Returns the unsubscribe function. */
export function followUndos(follower: UndoFollower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/**
 * Notifies the followers that an undo starts. Call the returned function with the restored pair.
 */
export function beginUndo(): (pair: Pair) => void {
  const callbacks = [...followers].map((follower) => follower());
  return (pair) => {
    for (const callback of callbacks) callback(pair);
  };
}
