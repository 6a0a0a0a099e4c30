import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './alert.module.css';

export interface AlertProps {
  tone: 'success' | 'danger' | 'info';
  title?: string;
  children?: ReactNode;
  /** Called when the user closes the alert. Without it, the alert has no close button. */
  onClose?: () => void;
}

const ICONS = { success: IconCircleCheck, danger: IconAlertTriangle, info: IconInfoCircle };

/** A message about the user's last action. Screen readers announce it immediately. */
export function Alert({ tone, title, children, onClose }: AlertProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`${classes.alert} ${classes[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden />
      <div>
        {title ? <p className={classes.title}>{title}</p> : null}
        {children}
      </div>
      {onClose ? (
        <button type="button" aria-label="Close this message" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </button>
      ) : null}
    </div>
  );
}
