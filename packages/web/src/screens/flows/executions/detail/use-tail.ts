import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Maximum distance from the end of the list, in pixels, at which the view still follows new
 * entries.
 */
const FOLLOW_DISTANCE_PX = 32;

export type Tail = {
  ref: RefObject<HTMLDivElement | null>;
  /** True while the view scrolls to each new entry. */
  following: boolean;
  onScroll: () => void;
  /** Scrolls to the end of the list and follows new entries. */
  follow: () => void;
};

/** Keeps the end of a growing list in view, until the user scrolls up. */
export function useTail(length: number, startsAtEnd: boolean): Tail {
  const ref = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(startsAtEnd);
  const toEnd = () => ref.current?.scrollTo({ top: ref.current.scrollHeight });
  useLayoutEffect(() => {
    if (following) toEnd();
  }, [following, length]);
  return {
    ref,
    following,
    onScroll: () => {
      const element = ref.current;
      if (element === null) return;
      setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight <= FOLLOW_DISTANCE_PX);
    },
    follow: () => {
      setFollowing(true);
      toEnd();
    },
  };
}
