import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import classes from './form-message.module.css';

/** The result of submitting a form, shown next to its button. Screen readers announce it. */
export function FormMessage({ tone, children }: { tone: 'success' | 'danger'; children: string }) {
  const Glyph = tone === 'success' ? IconCircleCheck : IconAlertTriangle;
  return (
    <p
      className={classes.message}
      role={tone === 'success' ? 'status' : 'alert'}
      style={{ color: `var(--${tone}-fg)` }}
    >
      <Glyph size={16} stroke={1.75} aria-hidden />
      {children}
    </p>
  );
}
