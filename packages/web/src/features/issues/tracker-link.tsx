import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { Issue } from '@winnow/contract/issue';
import { safeHref } from '../../api/safe-href.ts';

/**
 * Link that opens an issue in its tracker, aligned to the end of the line. Renders nothing if the
 * address is unsafe.
 */
export function TrackerLink({ issue }: { issue: Pick<Issue, 'key' | 'url'> }) {
  const address = safeHref(issue.url);
  if (address === null) return null;
  return (
    <Tooltip label="Open in the tracker">
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        size={24}
        ml="auto"
        aria-label={`Open ${issue.key} in the tracker`}
      >
        <IconExternalLink size={14} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
