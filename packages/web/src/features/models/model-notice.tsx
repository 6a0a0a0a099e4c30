import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { insteadText, needsAttention, troubleText } from './health-text.ts';
import { LastSuccess } from './last-success.tsx';
import classes from './models.module.css';
import { useAiModels } from './queries.ts';

/**
 * Notice on the overview that the default model fails, is paused or has reached its spending cap.
 */
export function ModelNotice() {
  const model = useAiModels().data?.find(({ is_default }) => is_default);
  if (model === undefined || !needsAttention(model)) return null;
  return (
    <Alert
      color="warning"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      title="Your language model needs attention"
    >
      <div className={classes.notice}>
        <span>
          {troubleText(model)} <LastSuccess health={model.health} />
        </span>
        <span>
          {insteadText(model)}{' '}
          <Link className="link" to="/console/settings/ai-models">
            Open Models
          </Link>
        </span>
      </div>
    </Alert>
  );
}
