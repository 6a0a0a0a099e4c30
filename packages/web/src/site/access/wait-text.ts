/** Formats a waiting time: seconds below two minutes, minutes above. */
export function waitText(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 120) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
