import { Button } from '@mantine/core';
import type { Issue } from '@winnow/contract/issue';
import { EditedTexts } from '../../../features/decisions/edited-texts.tsx';
import { isSameText } from '../../../features/issues/text-fields/text-edits.ts';
import classes from './improve.module.css';

export type MovedNoteProps = {
  /** The issue as it was when the dialog opened. */
  opened: Issue;
  /** The issue as it is now. */
  issue: Issue;
  onSuggestAnew: () => void;
};

/**
 * Note that lists what changed in the tracker since the dialog opened. The text typed by the user
 * is not affected. The preview uses the changed issue.
 */
export function MovedNote({ opened, issue, onSuggestAnew }: MovedNoteProps) {
  const title = opened.title === issue.title ? {} : { title: issue.title };
  const description = isSameText(opened.description, issue.description)
    ? {}
    : { description: issue.description };
  return (
    <section className={classes.moved} aria-label="What changed in the tracker">
      <p>
        The issue was reloaded and the preview is updated. Your text is unchanged. Changes in the tracker:
      </p>
      <EditedTexts before={opened} after={{ ...title, ...description }} />
      <Button size="xs" onClick={onSuggestAnew}>
        Suggest again for the new text
      </Button>
    </section>
  );
}
