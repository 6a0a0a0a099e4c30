import { IconBox } from '@tabler/icons-react';
import type { ConnectableTrackerType, TrackerType } from '@winnow/contract/tracker';
import { siGithub, siGitlab, siJira } from 'simple-icons';

const BRANDS: Record<ConnectableTrackerType, { path: string }> = {
  github: siGithub,
  gitlab: siGitlab,
  jira: siJira,
};

/**
 * Icon of a tracker type. The sample tracker has a box as icon. The icon is hidden from screen
 * readers, since the type is named beside it.
 */
export function TrackerIcon({ type, size = 16 }: { type: TrackerType; size?: number }) {
  if (type === 'sample') return <IconBox size={size} stroke={1.75} aria-hidden style={{ flex: 'none' }} />;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={BRANDS[type].path} />
    </svg>
  );
}
