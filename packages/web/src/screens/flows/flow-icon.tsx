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

/** Labels and icons of the built-in flow icons. */
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
 * Decorative icon of a flow, by default a gear. Hidden from screen readers, since the name is
 * beside it.
 */
export function FlowIcon({ icon, size = 20 }: { icon: string | null; size?: number }) {
  const name = icon ?? 'gear';
  if (!isName(name))
    return <img src={name} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />;
  const Glyph = ICONS[name].icon;
  return <Glyph size={size} stroke={1.75} aria-hidden />;
}
