import type { Pair } from '@winnow/contract/duplicate';

/** Hears that a decision is about to be taken back; what it answers hears which pair came back by that. */
export type UndoFollower = () => (pair: Pair) => void;

const followers = new Set<UndoFollower>();

/** Follows every undo, wherever it was asked for. Answers how to stop. */
export function followUndos(follower: UndoFollower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Tells that a decision is about to be taken back. The answer tells which pair came back. */
export function beginUndo(): (pair: Pair) => void {
  const told = [...followers].map((follower) => follower());
  return (pair) => {
    for (const tell of told) tell(pair);
  };
}
