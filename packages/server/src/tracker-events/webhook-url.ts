/** Returns the URL to which a tracker sends its webhook deliveries. */
export function webhookUrl(publicUrl: string, trackerId: string): string {
  return `${publicUrl}/api/v1/trackers/${trackerId}/webhook`;
}
