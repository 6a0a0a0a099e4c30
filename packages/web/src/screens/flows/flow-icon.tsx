import {
  type Icon,
  IconBug,
  IconBulb,
  IconFileText,
  IconRocket,
  IconSettings,
  IconTag,
} from '@tabler/icons-react';
import type { FLOW_ICONS } from '@winnow/contract/flow';

export type IconName = (typeof FLOW_ICONS)[number];

/** Label and component of each built-in icon for flows. */
export const ICONS: Record<IconName, { label: string; icon: Icon }> = {
  gear: { label: 'Gear', icon: IconSettings },
  'file-earmark-text': { label: 'Document', icon: IconFileText },
  tag: { label: 'Tag', icon: IconTag },
  bug: { label: 'Bug', icon: IconBug },
  lightbulb: { label: 'Light bulb', icon: IconBulb },
  rocket: { label: 'Rocket', icon: IconRocket },
};

function isName(icon: string): icon is IconName {
  return Object.hasOwn(ICONS, icon);
}

/**
 * Icon of a flow. Default: a gear. The icon is hidden from screen readers, since the name of the
 * flow is beside it.
 */
export function FlowIcon({ icon, size = 20 }: { icon: string | null; size?: number }) {
  const name = icon ?? 'gear';
  if (!isName(name))
    return <img src={name} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />;
  const Glyph = ICONS[name].icon;
  return <Glyph size={size} stroke={1.75} aria-hidden />;
}
