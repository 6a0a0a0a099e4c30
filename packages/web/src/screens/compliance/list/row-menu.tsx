import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconExternalLink, IconWand } from '@tabler/icons-react';
import type { Issue } from '@winnow/contract/issue';
import { safeHref } from '../../../api/safe-href.ts';
import { copyKey } from '../copy-key.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

export type RowMenuProps = {
  issue: Issue;
  /** Sentence that explains why the issue cannot be improved; null if it can. */
  refusal: string | null;
  onImprove: () => void;
};

/** Menu with the actions on an issue. */
export function RowMenu({ issue, refusal, onImprove }: RowMenuProps) {
  const address = safeHref(issue.url);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`More actions for ${issue.key}`}>
          <IconDots {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconWand {...ICON} />} disabled={refusal !== null} onClick={onImprove}>
          Improve Compliance
        </Menu.Item>
        {address === null ? null : (
          <Menu.Item
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink {...ICON} />}
          >
            Open in the tracker
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={() => void copyKey(issue.key)}>
          Copy key
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
