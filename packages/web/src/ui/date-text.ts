const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** The day of an instant in the reader's own time zone. */
export function dateText(instant: Date): string {
  return day.format(instant);
}
