import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { THEME_PREFERENCES } from '../theme/theme-preference.ts';
import { chooseTheme, useTheme } from '../theme/theme-store.ts';

/** Label and icon of each theme preference. */
export const THEME_LOOKS = {
  light: { label: 'Light', icon: IconSun },
  dark: { label: 'Dark', icon: IconMoon },
  system: { label: 'System', icon: IconDeviceDesktop },
} as const;

/** The theme menu in the header. */
export function ThemeMenu() {
  const { preference } = useTheme();
  const Current = THEME_LOOKS[preference].icon;
  return (
    <Menu width={160} withinPortal={false}>
      <Menu.Target>
        <Tooltip label="Theme">
          <ActionIcon aria-label={`Theme: ${THEME_LOOKS[preference].label}`}>
            <Current size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={preference}>
          {THEME_PREFERENCES.map((choice) => {
            const { label, icon: Glyph } = THEME_LOOKS[choice];
            return (
              <Menu.RadioItem
                key={choice}
                value={choice}
                closeMenuOnClick
                checkIcon={<IconCheck size={14} aria-hidden />}
                rightSection={<Glyph size={16} stroke={1.75} aria-hidden />}
                onChange={() => chooseTheme(choice)}
              >
                {label}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
