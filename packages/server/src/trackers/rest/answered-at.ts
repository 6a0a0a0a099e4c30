/** A tracker's own time of an answer; null where it does not tell. */
export function answeredAtOf(headers: Headers): Date | null {
  const date = new Date(headers.get('date') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
