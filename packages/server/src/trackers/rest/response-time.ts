/**
 * Returns the time of a response by the tracker's clock. Returns null if the response does not
 * state it.
 */
export function responseTimeOf(headers: Headers): Date | null {
  const date = new Date(headers.get('date') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
