import { Button } from '@mantine/core';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { costText } from './scoring-texts.ts';
import type { Scoring } from './use-scoring.ts';

/**
 * Button that starts or stops scoring all displayed projects, and the dialog that asks for
 * confirmation.
 */
export function ScoreShown({ projectIds, scoring }: { projectIds: readonly string[]; scoring: Scoring }) {
  const { asked, running } = scoring;
  return (
    <>
      {running.length > 0 ? (
        <Button size="xs" disabled={scoring.stopping} onClick={() => scoring.stop(running)}>
          Stop scoring
        </Button>
      ) : (
        <Button
          size="xs"
          loading={scoring.starting.length > 1}
          disabled={projectIds.length === 0 || scoring.starting.length > 0}
          onClick={() => scoring.start(projectIds)}
        >
          Score all
        </Button>
      )}
      <ConfirmDialog
        opened={asked?.opened === true}
        title="Score all"
        confirmLabel={asked === null ? 'Score' : `Make ${countText(asked.preview.calls)} calls`}
        pending={scoring.confirming}
        error={scoring.error}
        onConfirm={scoring.confirm}
        onClose={scoring.cancel}
      >
        {asked === null ? null : <p>{costText(asked.preview)}</p>}
      </ConfirmDialog>
    </>
  );
}
