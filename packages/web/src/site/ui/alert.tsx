import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './alert.module.css';

export interface AlertProps {
  tone: 'success' | 'danger';
  title?: string;
  children?: ReactNode;
  /** With it the message can be closed. */
  onClose?: () => void;
}

/** A message about what was just done, read out at once. */
export function Alert({ tone, title, children, onClose }: AlertProps) {
  const Icon = tone === 'danger' ? IconAlertTriangle : IconCircleCheck;
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
