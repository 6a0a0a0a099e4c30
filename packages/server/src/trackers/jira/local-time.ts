import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';

const STEP_MS = 15 * MINUTE_MS;
/** Maximum offset of a time zone from UTC. No zone has a larger offset. */
const MAX_ZONE_OFFSET_MS = 26 * 60 * MINUTE_MS;

/**
 * A local time in the user's time zone for JQL, as `yyyy-MM-dd HH:mm`. `earliestMs` and `latestMs`
 * are the instants it may mean. They differ for a local time that occurs twice, at the end of
 * daylight saving time.
 */
export interface LocalTime {
  text: string;
  earliestMs: number;
  latestMs: number;
}

/**
 * Returns the latest local time that is certainly not after `ms`. A local time that occurs twice
 * counts as its later instant. If the time zone is unknown, returns a time that is safe in every
 * zone.
 */
export function atOrBefore(ms: number, timeZone: string | null): LocalTime {
  const clock = clockOf(timeZone);
  if (clock === null) return anywhere(floor(ms) - MAX_ZONE_OFFSET_MS);
  for (let at = floor(ms); ; at = floor(at - STEP_MS)) {
    const local = localAt(at, clock);
    if (local.latestMs <= ms) return local;
  }
}

/**
 * Returns the earliest local time that is certainly not before `ms`. A local time that occurs twice
 * counts as its earlier instant.
 */
export function atOrAfter(ms: number, timeZone: string | null): LocalTime {
  const clock = clockOf(timeZone);
  const start = floor(ms + MINUTE_MS - 1);
  if (clock === null) return anywhere(start + MAX_ZONE_OFFSET_MS);
  for (let at = start; ; at += STEP_MS) {
    const local = localAt(at, clock);
    if (local.earliestMs >= ms) return local;
  }
}

function floor(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

function anywhere(ms: number): LocalTime {
  return { text: minuteText(ms), earliestMs: ms - MAX_ZONE_OFFSET_MS, latestMs: ms + MAX_ZONE_OFFSET_MS };
}

function localAt(ms: number, clock: Intl.DateTimeFormat): LocalTime {
  const local = ms + offsetAt(ms, clock);
  const meanings = [
    ms,
    local - offsetAt(local - DAY_MS, clock),
    local - offsetAt(local + DAY_MS, clock),
  ].filter((instant) => instant + offsetAt(instant, clock) === local);
  return { text: minuteText(local), earliestMs: Math.min(...meanings), latestMs: Math.max(...meanings) };
}

function minuteText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 16).replace('T', ' ');
}

const clocks = new Map<string, Intl.DateTimeFormat | null>();

/** Returns a formatter for the time zone. Returns null for an unknown time zone. */
function clockOf(timeZone: string | null): Intl.DateTimeFormat | null {
  if (timeZone === null) return null;
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const made = makeClock(timeZone);
  clocks.set(timeZone, made);
  return made;
}

function makeClock(timeZone: string): Intl.DateTimeFormat | null {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, second: 'numeric', hourCycle: 'h23', timeZone });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function offsetAt(ms: number, clock: Intl.DateTimeFormat): number {
  const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(ms / 1000) * 1000;
}
