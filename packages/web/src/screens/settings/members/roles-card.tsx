import { ROLES, role as roles } from '@winnow/contract/role';
import { Card } from '../../../ui/card.tsx';
import classes from './members.module.css';

/** Explains the roles, from the fewest permissions to the most. */
export function RolesCard() {
  return (
    <Card title="Roles" inset>
      <dl className={classes.roles}>
        {roles.options.map((one) => (
          <div key={one}>
            <dt>{ROLES[one].label}</dt>
            <dd>{ROLES[one].description}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
