const MARKER = /^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,199}$/;

/**
 * The comment's text with `marker` at its end, as an HTML comment that Markdown does not show.
 * @throws {RangeError} when the marker is not 1 to 200 letters, digits or `_ - . :`, or could end the HTML comment.
 */
export function withMarker(body: string, marker: string): string {
  return `${body.trimEnd()}\n\n${markerText(marker)}`;
}

/** Whether the text carries exactly this marker. */
export function carriesMarker(body: string, marker: string): boolean {
  return body.includes(markerText(marker));
}

/** The marker that a text carries; null when it has none. */
export function markerOf(body: string): string | null {
  return /<!-- winnow:([A-Za-z0-9_.:-]{1,200}) -->/.exec(body)?.[1] ?? null;
}

function markerText(marker: string): string {
  if (!MARKER.test(marker) || marker.includes('--')) throw new RangeError(`Not a marker: "${marker}".`);
  return `<!-- winnow:${marker} -->`;
}
