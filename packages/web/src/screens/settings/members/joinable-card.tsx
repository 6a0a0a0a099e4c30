import { Button } from '@mantine/core';
import { ROLES } from '@winnow/contract/role';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { switchWorkspace } from '../../../api/session/session.ts';
import { useJoinableWorkspaces, useJoinWorkspace } from '../../../features/workspaces/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import classes from './members.module.css';

/** Offers the workspaces that are open to the domain of the user's address. */
export function JoinableCard() {
  const { data: joinable = [] } = useJoinableWorkspaces();
  const join = useJoinWorkspace();
  if (joinable.length === 0) return null;
  return (
    <Card title="Workspaces you can join">
      <ul className={classes.list} aria-label="Workspaces you can join">
        {joinable.map(({ id, name, role }) => (
          <li key={id} className={classes.line}>
            <div className={classes.main}>
              <span>{name}</span>
              <span className={classes.facts}>Open to your email domain, as {ROLES[role].label}</span>
            </div>
            <Button
              size="xs"
              variant="filled"
              aria-label={`Join ${name}`}
              loading={join.isPending && join.variables === id}
              onClick={() => join.mutate(id, { onSuccess: () => switchWorkspace(id) })}
            >
              Join
            </Button>
          </li>
        ))}
      </ul>
      {join.isError ? <FormMessage tone="danger">{sentenceOf(join.error)}</FormMessage> : null}
    </Card>
  );
}
