import type { Change } from '@winnow/contract/change';

type Step = Change['steps'][number];

/** Steps of one group. Each step has its number within the change. */
export type StepGroup = {
  group: number;
  /**
   * Most informative step of the group: the failed step, otherwise the running step, otherwise the
   * last step.
   */
  main: Step;
  steps: { step: Step; number: number }[];
};

/** Maximum number of steps listed without grouping. */
const MAX_LISTED_STEPS = 6;

/**
 * Groups the steps of a long change, in order. Returns null if the change is short or its steps
 * form a single group.
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
