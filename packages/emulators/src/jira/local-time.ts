const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  clocks.set(timeZone, made);
  return made;
}

/** Returns the offset of a time zone from UTC at a given time, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === 'Etc/UTC') return 0;
  const parts = clockOf(timeZone).formatToParts(ms);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns the time at which clocks in a time zone show `local`. `local` is given like a UTC time.
 * If clocks show it twice, `prefer` selects the result. If clocks skip it, the result is later by
 * the length of the gap.
 */
export function instantOf(local: number, timeZone: string, prefer: 'earlier' | 'later'): number {
  const day = 86_400_000;
  const offsets = [offsetAt(local - day, timeZone), offsetAt(local + day, timeZone)];
  const fits = offsets.map((offset) => local - offset).filter((ms) => ms + offsetAt(ms, timeZone) === local);
  if (fits.length === 0) return local - Math.min(...offsets);
  return prefer === 'earlier' ? Math.min(...fits) : Math.max(...fits);
}

/** Formats a time like Jira, such as `2024-05-01T12:00:00.000+0200`. */
export function jiraTime(ms: number, timeZone: string): string {
  const offset = offsetAt(ms, timeZone);
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  return `${new Date(ms + offset).toISOString().slice(0, -1)}${sign}${two(minutes / 60)}${two(minutes % 60)}`;
}
