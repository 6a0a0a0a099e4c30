import { ActionIcon, Tooltip } from '@mantine/core';
import { IconKeyboard, IconMenu2 } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { openKeyboardHelp } from '../../ui/keyboard/shortcuts.ts';
import { ThemeMenu } from '../../ui/theme-menu.tsx';
import classes from './header.module.css';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

export type HeaderProps = {
  title: string;
  headingRef: RefObject<HTMLHeadingElement | null>;
  narrow: boolean;
  onOpenNavigation: () => void;
};

/** Header of the console: title of the screen, workspace menu, help, theme menu and user menu. */
export function Header({ title, headingRef, narrow, onOpenNavigation }: HeaderProps) {
  return (
    <header className={classes.top}>
      {narrow ? (
        <ActionIcon aria-label="Open navigation" size={36} ml={-8} onClick={onOpenNavigation}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
      ) : null}
      <h1 className={classes.title} ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <WorkspaceMenu />
      {narrow ? null : (
        <Tooltip label="Keyboard shortcuts">
          <ActionIcon aria-label="Keyboard shortcuts" onClick={openKeyboardHelp}>
            <IconKeyboard size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      <ThemeMenu />
      <UserMenu />
    </header>
  );
}
