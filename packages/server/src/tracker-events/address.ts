/** The address of ours that a tracker calls. */
export function webhookUrl(publicUrl: string, trackerId: string): string {
  return `${publicUrl}/api/v1/trackers/${trackerId}/webhook`;
}
