import type { ExportFormat } from '@winnow/contract/change';
import { download } from '../../../api/session/download.ts';
import type { ChangeListFilters } from '../../../features/decisions/queries.ts';

/** Downloads all changes that match the filters. `onProgress` receives the bytes read so far. */
export async function exportChanges(
  { status, kind, issue_id }: ChangeListFilters,
  format: ExportFormat,
  onProgress: (bytes: number) => void,
): Promise<{ name: string; bytes: number }> {
  const name = `winnow-changes.${format}`;
  const query = { status, kind, issue_id, format };
  return { name, bytes: await download({ path: '/changes/export', query, name }, onProgress) };
}
