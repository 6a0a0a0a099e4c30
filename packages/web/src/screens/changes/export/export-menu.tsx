import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet, IconJson } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ExportFormat } from '@winnow/contract/change';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { download } from '../../../api/session/download.ts';
import type { ChangeListFilters } from '../../../features/decisions/queries.ts';
import { sizeText } from '../../../ui/texts/size-text.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const TOAST = 'export-changes';

async function exportWithToasts(filters: ChangeListFilters, format: ExportFormat): Promise<void> {
  try {
    const { name, bytes } = await exportChanges(filters, format, (soFar) =>
      showToast({ id: TOAST, kind: 'working', text: `Exporting changes: ${sizeText(soFar)} so far` }),
    );
    showToast({ id: TOAST, kind: 'done', text: `Saved ${name} (${sizeText(bytes)}).` });
  } catch (error) {
    showToast({ id: TOAST, kind: 'failed', text: `The export stopped. ${sentenceOf(error)}` });
  }
}

/**
 * Menu that exports all changes that match the filters to a file, including changes on other pages.
 */
export function ExportMenu({ filters, disabled }: { filters: ChangeListFilters; disabled: boolean }) {
  const exporting = useOneAtATime(
    useMutation({ mutationFn: (format: ExportFormat) => exportWithToasts(filters, format) }),
  );
  return (
    <Menu width={260} withinPortal={false}>
      <Menu.Target>
        <Button leftSection={<IconDownload {...ICON} />} disabled={disabled} loading={exporting.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileSpreadsheet {...ICON} />} onClick={() => exporting.mutate('csv')}>
          CSV, one row for each step
        </Menu.Item>
        <Menu.Item leftSection={<IconJson {...ICON} />} onClick={() => exporting.mutate('jsonl')}>
          JSON lines, one change per line
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Downloads the changes that match the filters. Calls `onProgress` with the number of bytes
 * received.
 */
async function exportChanges(
  { status, kind, issue_id }: ChangeListFilters,
  format: ExportFormat,
  onProgress: (bytes: number) => void,
): Promise<{ name: string; bytes: number }> {
  const name = `winnow-changes.${format}`;
  const query = { status, kind, issue_id, format };
  return { name, bytes: await download({ path: '/changes/export', query, name }, onProgress) };
}
