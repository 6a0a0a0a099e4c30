import type { Change } from '@winnow/contract/change';

type Step = Change['steps'][number];

/** Steps of one group, with their numbers in the change. */
export type StepGroup = {
  group: number;
  /** The most informative step: the failed one, the one in progress, or else the last. */
  main: Step;
  steps: { step: Step; number: number }[];
};

/** Steps up to this number are listed one by one. */
const MAX_LISTED_STEPS = 6;

/**
 * Returns the steps of a long change by group, in their order. Null for a change whose steps are
 * listed one by one.
 */
export function groupsOf(steps: readonly Step[]): StepGroup[] | null {
  if (steps.length <= MAX_LISTED_STEPS || steps.every(({ group }) => group === 0)) return null;
  const numbered = steps.map((step, at) => ({ step, number: at + 1 }));
  const byGroup = Map.groupBy(numbered, ({ step }) => step.group);
  return [...byGroup].flatMap(([group, members]) => {
    const own = members.map(({ step }) => step);
    const main =
      own.find(({ status }) => status === 'failed') ??
      own.find(({ status }) => status === 'applying') ??
      own.at(-1);
    return main === undefined ? [] : [{ group, main, steps: members }];
  });
}
