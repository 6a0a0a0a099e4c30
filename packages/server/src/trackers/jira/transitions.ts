import type { CloseReason } from '@winnow/contract/change';
import { z } from 'zod';
import { TrackerError } from '../provider.ts';
import { COMPLETED_RESOLUTION, isDone, wireStatus } from './map.ts';

const wireField = z.object({
  name: z.string().nullish(),
  required: z.boolean().nullish(),
  hasDefaultValue: z.boolean().nullish(),
  allowedValues: z.array(z.unknown()).nullish(),
});

export const wireTransitions = z.object({
  transitions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      to: wireStatus,
      fields: z.record(z.string(), wireField).nullish(),
    }),
  ),
});
export type WireTransition = z.infer<typeof wireTransitions>['transitions'][number];

/** Request body that performs a transition. */
export interface TransitionPlan {
  transition: { id: string };
  fields?: { resolution: { name: string } };
}

/** Reason for closing an issue, which decides its transition and resolution. */
export type ClosingReason = CloseReason | 'duplicate';

const NOT_WORKED_ON = [/^won['’]?t (?:do|fix)$/i, /declined|rejected|invalid|obsolete/i];
/** Patterns for the names of matching resolutions, best match first. */
const RESOLUTIONS: Record<ClosingReason, readonly RegExp[]> = {
  duplicate: [/^duplicate$/i, ...NOT_WORKED_ON],
  not_planned: NOT_WORKED_ON,
  completed: [COMPLETED_RESOLUTION],
};
const DUPLICATE = /duplicat/i;
const DECLINED = /won['’]?t|declin|reject|cancel/i;

/**
 * Chooses the transition and the resolution for closing an issue. Prefers a transition named for
 * the reason, then one that sets a matching resolution, then any other transition to a done status.
 * @throws {TrackerError} `invalid` if no such transition exists, or all require unsupported fields
 */
export function planClosing(
  key: string,
  transitions: readonly WireTransition[],
  reason: ClosingReason,
): TransitionPlan {
  const closing = transitions.filter(({ to }) => isDone(to));
  if (closing.length === 0) {
    throw new TrackerError(
      'invalid',
      `Jira has no transition from the current status of ${key} to a done status, or this token may not use it.`,
    );
  }
  const wanted = RESOLUTIONS[reason];
  const usable = requireUsable(key, closing);
  const ranked = usable.toSorted((left, right) => rank(left, reason) - rank(right, reason));
  const [best] = ranked;
  if (best === undefined) throw new TrackerError('invalid', `Jira cannot close ${key}.`);
  return planOf(best, resolutionFor(best, wanted));
}

/**
 * Chooses the transition for reopening an issue. Prefers the previous status, then a transition or
 * status named "reopen", then a status of the category "new", then any open status.
 * @throws {TrackerError} `invalid` if no such transition exists, or all require unsupported fields
 */
export function planReopening(
  key: string,
  transitions: readonly WireTransition[],
  before: string | null,
): TransitionPlan {
  const opening = transitions.filter(({ to }) => !isDone(to));
  if (opening.length === 0) {
    throw new TrackerError(
      'invalid',
      `Jira has no transition from the current status of ${key} back to an open status, or this token may not use it.`,
    );
  }
  const usable = requireUsable(key, opening);
  const best =
    usable.find(({ to }) => to.id === before) ??
    usable.find(({ name, to }) => /re-?open/i.test(`${name} ${to.name}`)) ??
    usable.find(({ to }) => to.statusCategory?.key === 'new') ??
    usable[0];
  if (best === undefined) throw new TrackerError('invalid', `Jira cannot reopen ${key}.`);
  return planOf(best, null);
}

function planOf({ id }: WireTransition, resolution: string | null): TransitionPlan {
  return {
    transition: { id },
    ...(resolution === null ? {} : { fields: { resolution: { name: resolution } } }),
  };
}

/** Rates how well a transition fits the reason for closing. A lower number is better. */
function rank(transition: WireTransition, reason: ClosingReason): number {
  const called = `${transition.name} ${transition.to.name}`;
  const isDeclining = DECLINED.test(called);
  if (reason === 'duplicate' && DUPLICATE.test(called)) return 0;
  if (resolutionsOf(transition).some((name) => RESOLUTIONS[reason][0]?.test(name))) return 1;
  if (reason === 'not_planned' && isDeclining) return 2;
  if (DUPLICATE.test(called)) return 7;
  if (reason === 'completed' && isDeclining) return 6;
  if (transition.fields?.resolution) return 3;
  return isDeclining ? 4 : 5;
}

/**
 * Returns the resolution to set with the transition. Returns null if the transition has no field
 * for it, or if the field is optional and no offered resolution matches.
 */
function resolutionFor(transition: WireTransition, wanted: readonly RegExp[]): string | null {
  const offered = resolutionsOf(transition);
  const fits = wanted.flatMap((pattern) => offered.find((name) => pattern.test(name)) ?? []);
  if (fits[0] !== undefined) return fits[0];
  return transition.fields?.resolution?.required ? (offered[0] ?? null) : null;
}

function resolutionsOf({ fields }: WireTransition): string[] {
  return (fields?.resolution?.allowedValues ?? []).flatMap((value) => {
    const parsed = z.object({ name: z.string() }).safeParse(value);
    return parsed.success ? [parsed.data.name] : [];
  });
}

function requireUsable(key: string, transitions: readonly WireTransition[]): WireTransition[] {
  const usable = transitions.filter((transition) => missingFields(transition).length === 0);
  const [first] = transitions;
  if (usable.length > 0 || first === undefined) return usable;
  throw new TrackerError(
    'invalid',
    `Jira requires ${missingFields(first).join(' and ')} to move ${key} to “${first.to.name}”. Move it in Jira.`,
  );
}

/** Returns the names of the fields that a transition requires and Winnow cannot fill in. */
function missingFields({ fields }: WireTransition): string[] {
  return Object.entries(fields ?? {}).flatMap(([id, field]) => {
    const isOurs = id === 'resolution' && (field.allowedValues ?? []).length > 0;
    return field.required && !field.hasDefaultValue && !isOurs ? [field.name ?? id] : [];
  });
}
