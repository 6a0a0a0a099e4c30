import { Checkbox } from '@mantine/core';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './filters-dialog.module.css';
import { groupState, type ProjectGroup, toggleGroup, toggleProject } from './project-tree.ts';

export type ProjectTreeFieldProps = {
  groups: readonly ProjectGroup[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/**
 * Checkboxes for projects, grouped by organization. If none is checked, the filter includes all
 * projects.
 */
export function ProjectTreeField({ groups, chosen, onChange }: ProjectTreeFieldProps) {
  return (
    <fieldset className={classes.field}>
      <legend>Projects</legend>
      <ul className={classes.tree}>
        {groups.map((group) => {
          const state = groupState(group, chosen);
          return (
            <li key={group.id}>
              <Checkbox
                label={group.name}
                checked={state === 'all'}
                indeterminate={state === 'some'}
                onChange={() => onChange(toggleGroup(chosen, group))}
              />
              <ul className={classes.branch}>
                {group.projects.map(({ segment, name, issues }) => (
                  <li key={segment}>
                    <Checkbox
                      label={name}
                      checked={chosen.includes(segment)}
                      onChange={() => onChange(toggleProject(chosen, segment))}
                    />
                    <span className={classes.issues}>
                      {issues === 1 ? '1 issue' : `${countText(issues)} issues`}
                    </span>
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
