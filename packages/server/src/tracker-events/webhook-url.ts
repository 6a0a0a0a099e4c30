/** Returns the URL that a tracker delivers to. */
export function webhookUrl(publicUrl: string, trackerId: string): string {
  return `${publicUrl}/api/v1/trackers/${trackerId}/webhook`;
}
