const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** Formats a size, such as `812 bytes`, `14 kB` or `1.2 MB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit > 1 && size < 10 ? 1 : 0;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}
