import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { SampleButton } from '../../features/trackers/sample-button.tsx';
import classes from './no-trackers.module.css';

/** Displayed instead of the project widgets until a tracker is connected. */
export function NoTrackers() {
  return (
    <Alert
      role="note"
      classNames={{ wrapper: classes.wrapper ?? '' }}
      icon={<IconInfoCircle size={16} aria-hidden />}
    >
      <div className={classes.row}>
        <p>
          No projects found.{' '}
          <Link to="/console/trackers" className="link">
            Add a tracker
          </Link>{' '}
          to see project-specific widgets.
        </p>
        <SampleButton size="xs" />
      </div>
    </Alert>
  );
}
