import type { FlowPreset } from '@winnow/contract/flow';
import { FlowIcon } from './flow-icon.tsx';
import classes from './preset-brief.module.css';

/** A preset as its card shows it: icon, name, what it does. */
export function PresetBrief({ preset: { icon, name, description } }: { preset: FlowPreset }) {
  return (
    <span className={classes.brief}>
      <span className={classes.icon}>
        <FlowIcon icon={icon} />
      </span>
      <span className={classes.name} dir="auto">
        {name}
      </span>
      <span className={classes.description} dir="auto">
        {description}
      </span>
    </span>
  );
}
