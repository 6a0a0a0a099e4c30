import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as the end, in pixels. */
const NEAR = 32;

export type Tail = {
  ref: RefObject<HTMLDivElement | null>;
  /** Whether what is new is scrolled to. */
  following: boolean;
  onScroll: () => void;
  /** Goes to the end and follows from there. */
  follow: () => void;
};

/** Keeps the end of what grows in sight, until somebody scrolls up to read. */
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
      setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR);
    },
    follow: () => {
      setFollowing(true);
      toEnd();
    },
  };
}
