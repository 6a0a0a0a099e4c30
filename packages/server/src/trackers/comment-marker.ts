const MARKER = /^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,199}$/;

/**
 * Appends `marker` to the text of a comment, inside an HTML comment, which Markdown does not
 * display.
 * @throws {RangeError} unless the marker consists of 1 to 200 letters, digits or `_ - . :`
 * @throws {RangeError} if the marker would end the HTML comment
 */
export function withMarker(body: string, marker: string): string {
  return `${body.trimEnd()}\n\n${markerText(marker)}`;
}

/** True if the text contains exactly this marker. */
export function carriesMarker(body: string, marker: string): boolean {
  return body.includes(markerText(marker));
}

/** Returns the marker that a text contains. Returns null if it contains none. */
export function markerOf(body: string): string | null {
  return /<!-- winnow:([A-Za-z0-9_.:-]{1,200}) -->/.exec(body)?.[1] ?? null;
}

function markerText(marker: string): string {
  if (!MARKER.test(marker) || marker.includes('--'))
    throw new RangeError(`Invalid comment marker: "${marker}".`);
  return `<!-- winnow:${marker} -->`;
}
