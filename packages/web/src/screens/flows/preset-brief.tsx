import { type FlowPreset, needsModel } from '@winnow/contract/flow';
import { Badge } from '../../theme/parts/badge.tsx';
import { FlowIcon } from './flow-icon.tsx';
import classes from './preset-brief.module.css';

/**
 * Card content of a preset: icon, name, description, and whether the preset needs a language model.
 */
export function PresetBrief({ preset }: { preset: FlowPreset }) {
  const { icon, name, description } = preset;
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
      {needsModel(preset) ? (
        <span className={classes.needs}>
          <Badge small>Needs a language model</Badge>
        </span>
      ) : null}
    </span>
  );
}
