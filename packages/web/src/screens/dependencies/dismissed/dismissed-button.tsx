import { Button, Modal, UnstyledButton } from '@mantine/core';
import type { Dependency } from '@winnow/contract/dependency';
import { useState } from 'react';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { dependencyKey } from '../dependency-state.ts';
import { dependenciesText, sentenceOf } from '../dependency-texts.ts';
import { restoreDependency } from '../dependency-toasts.ts';
import { useDismissed } from '../queries.ts';
import classes from './dismissed.module.css';

function Dismissed({ dependency }: { dependency: Dependency }) {
  const [asked, setAsked] = useState(false);
  const restore = () => {
    setAsked(true);
    void restoreDependency(dependency).finally(() => setAsked(false));
  };
  return (
    <li className={classes.item}>
      <div className={classes.said}>
        <p className={classes.sentence}>{sentenceOf(dependency)}</p>
        <p className={classes.reason} dir="auto">
          {dependency.reason}
        </p>
      </div>
      <Button
        className={classes.restore ?? ''}
        size="xs"
        loading={asked}
        aria-label={`Restore: ${sentenceOf(dependency)}`}
        onClick={restore}
      >
        Restore
      </Button>
    </li>
  );
}

/**
 * Button labeled with the number of dismissed dependencies. It opens a list in which they can be
 * restored.
 */
export function DismissedButton({ projectId }: { projectId: string }) {
  const [opened, setOpened] = useState(false);
  const { data } = useDismissed(projectId);
  const dismissed = data?.dependencies ?? [];
  if (dismissed.length === 0 && !opened) return null;
  return (
    <>
      <UnstyledButton
        className={`link ${classes.opener}`}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {`${dependenciesText(dismissed.length)} dismissed`}
      </UnstyledButton>
      <Modal
        opened={opened}
        {...(opened ? {} : LEAVING)}
        onClose={() => setOpened(false)}
        title="Not Dependencies"
        size={600}
      >
        {dismissed.length === 0 ? (
          <p className={classes.none}>No dismissed dependencies.</p>
        ) : (
          <ul className={classes.items}>
            {dismissed.map((dependency) => (
              <Dismissed key={dependencyKey(dependency)} dependency={dependency} />
            ))}
          </ul>
        )}
      </Modal>
    </>
  );
}
