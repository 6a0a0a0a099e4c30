import {
  type ActionIconProps,
  type AlertProps,
  type AnchorProps,
  type ButtonProps,
  type CheckboxProps,
  type CloseButtonProps,
  createTheme,
  type DrawerProps,
  type InputProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PopoverProps,
  type RadioProps,
  type SegmentedControlProps,
  type SelectProps,
  type SkeletonProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';
import type { ElementType } from 'react';
import { TONES, type Tone, toneTokens } from '../../theme/tones.ts';
import { ButtonRoot } from './button-root.tsx';
import { variantColors } from './variant-colors.ts';

/**
 * Returns the ten shades that Mantine expects for each color. A tone has fewer tokens, so some
 * shades are equal.
 */
function tuple(tone: Tone): MantineColorsTuple {
  const { background, border, text, mark } = toneTokens(tone);
  return [background, background, border, border, text, mark, mark, mark, text, text];
}

/**
 * Mantine uses the shades of `gray` in the light scheme, and the shades of `dark` in the dark
 * scheme.
 */
const GRAY: MantineColorsTuple = [
  'var(--surface-2)',
  'var(--surface-2)',
  'var(--border-subtle)',
  'var(--border)',
  'var(--border-strong)',
  'var(--border-control)',
  'var(--text-3)',
  'var(--text-2)',
  'var(--text)',
  'var(--text)',
];
const DARK: MantineColorsTuple = [
  'var(--text)',
  'var(--text-2)',
  'var(--text-3)',
  'var(--border-control)',
  'var(--border)',
  'var(--surface-3)',
  'var(--surface-2)',
  'var(--surface-1)',
  'var(--bg)',
  'var(--bg)',
];

type ThemeColors = Record<Tone | 'gray' | 'dark', MantineColorsTuple>;

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    colors: ThemeColors;
  }
}

const tones = Object.fromEntries(TONES.map((tone) => [tone, tuple(tone)]));

/**
 * Dialog headers are `header` elements. Without this role, screen readers would announce them as a
 * second page banner.
 */
const HEADER_IS_NO_BANNER = { header: { role: 'presentation' } };

/**
 * HTML element that a component renders. It can be replaced, for example for links that look like
 * buttons.
 */
type ElementOf = { component: ElementType };

/** Sets the default props of a component. Imports only the type of the component, not its code. */
function defaults<Props>(defaultProps: Partial<Props>): { defaultProps: Partial<Props> } {
  return { defaultProps };
}

/**
 * Mantine theme. Colors, sizes and spacing come from tokens.css. CSS overrides are in parts.css.
 */
export const mantineTheme = createTheme({
  colors: { ...tones, gray: GRAY, dark: DARK },
  primaryColor: 'accent',
  variantColorResolver: variantColors,
  white: 'var(--surface-1)',
  black: 'var(--text)',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.3334', sm: '1.5385', md: '1.5715', lg: '1.5', xl: '1.4' },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '600',
    textWrap: 'pretty',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '22px' },
      h4: { fontSize: '13px', lineHeight: '20px' },
      h5: { fontSize: '12px', lineHeight: '16px' },
      h6: { fontSize: '11px', lineHeight: '16px' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--shadow-float)',
    lg: 'var(--shadow-float)',
    xl: 'var(--shadow-float)',
  },
  breakpoints: { xs: '36em', sm: '48em', md: '64em', lg: '80em', xl: '107.5em' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: defaults<ActionIconProps & ElementOf>({
      component: ButtonRoot,
      variant: 'subtle',
      color: 'neutral',
      size: 28,
    }),
    Alert: defaults<AlertProps>({ radius: 'md', variant: 'light', color: 'info' }),
    Anchor: defaults<AnchorProps>({ underline: 'hover', fw: 500 }),
    Button: defaults<ButtonProps & ElementOf>({ component: ButtonRoot, variant: 'default', size: 'sm' }),
    Checkbox: defaults<CheckboxProps>({ size: 'xs', radius: 'xs' }),
    CloseButton: defaults<CloseButtonProps & { 'aria-label': string }>({ 'aria-label': 'Close' }),
    Drawer: defaults<DrawerProps>({
      zIndex: 150,
      transitionProps: { duration: 200 },
      padding: 0,
      attributes: HEADER_IS_NO_BANNER,
    }),
    Input: defaults<InputProps>({ size: 'sm' }),
    Menu: defaults<MenuProps>({
      radius: 'md',
      shadow: 'md',
      transitionProps: { duration: 150 },
      position: 'bottom-end',
      withInitialFocusPlaceholder: false,
    }),
    Modal: defaults<ModalProps>({
      radius: 'md',
      centered: true,
      transitionProps: { transition: 'fade-up', duration: 150 },
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
      attributes: HEADER_IS_NO_BANNER,
    }),
    Popover: defaults<PopoverProps>({ radius: 'md', shadow: 'md' }),
    Radio: defaults<RadioProps>({ size: 'xs' }),
    SegmentedControl: defaults<SegmentedControlProps>({ size: 'xs' }),
    Select: defaults<SelectProps>({ size: 'sm', allowDeselect: false }),
    Skeleton: defaults<SkeletonProps>({ radius: 'xs' }),
    Table: defaults<TableProps>({ verticalSpacing: 8, horizontalSpacing: 16 }),
    Tooltip: defaults<TooltipProps>({
      openDelay: 150,
      closeDelay: 0,
      offset: 8,
      radius: 'sm',
      transitionProps: { duration: 150 },
      events: { hover: true, focus: true, touch: false },
    }),
  },
});
