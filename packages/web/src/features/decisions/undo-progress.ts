import type { Pair } from '@winnow/contract/duplicate';

/**
 * Callback for the start of an undo. Returns a function that is called with the pair once the undo
 * has restored it.
 */
export type UndoFollower = () => (pair: Pair) => void;

const followers = new Set<UndoFollower>();

/** Calls `follower` whenever an undo starts. Returns a function that unsubscribes it. */
export function followUndos(follower: UndoFollower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/**
 * Notifies the followers that an undo starts. Call the returned function once the undo has restored
 * the pair.
 */
export function beginUndo(): (pair: Pair) => void {
  const callbacks = [...followers].map((follower) => follower());
  return (pair) => {
    for (const callback of callbacks) callback(pair);
  };
}
