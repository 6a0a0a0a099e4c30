const MARKER = /^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,199}$/;

/**
 * Appends `marker` to a comment's text, inside an HTML comment that Markdown does not display.
 * @throws {RangeError} unless the marker is 1 to 200 letters, digits or `_ - . :`, or if it would
 * end the HTML comment
 */
export function withMarker(body: string, marker: string): string {
  return `${body.trimEnd()}\n\n${markerText(marker)}`;
}

/** True if the text carries exactly this marker. */
export function carriesMarker(body: string, marker: string): boolean {
  return body.includes(markerText(marker));
}

/** Returns the marker in a text, or null. */
export function markerOf(body: string): string | null {
  return /<!-- winnow:([A-Za-z0-9_.:-]{1,200}) -->/.exec(body)?.[1] ?? null;
}

function markerText(marker: string): string {
  if (!MARKER.test(marker) || marker.includes('--'))
    throw new RangeError(`Invalid comment marker: "${marker}".`);
  return `<!-- winnow:${marker} -->`;
}
