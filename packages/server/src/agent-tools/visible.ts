import { visible } from '../ai/fence.ts';

/** The same, with every text in it as a person would see it: without characters that steer instead of being read. */
export function visibleIn<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? visible(part) : part,
  );
}
