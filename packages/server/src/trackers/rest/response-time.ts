/** Returns the tracker's own time of a response, or null if not reported. */
export function responseTimeOf(headers: Headers): Date | null {
  const date = new Date(headers.get('date') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
