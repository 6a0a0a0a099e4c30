import { Button } from '@mantine/core';
import type { Issue } from '@winnow/contract/issue';
import { EditedTexts } from '../../../features/decisions/edited-texts.tsx';
import { isSameText } from '../../../features/issues/text-fields/edited-texts.ts';
import classes from './improve.module.css';

export type MovedNoteProps = {
  /** As it was when the dialog opened. */
  seen: Issue;
  /** As it is now. */
  issue: Issue;
  onSuggestAnew: () => void;
};

/**
 * That somebody changed the issue meanwhile, and what: what was typed is kept, and what is written
 * is worked out on the new text.
 */
export function MovedNote({ seen, issue, onSuggestAnew }: MovedNoteProps) {
  const title = seen.title === issue.title ? {} : { title: issue.title };
  const description = isSameText(seen.description, issue.description)
    ? {}
    : { description: issue.description };
  return (
    <section className={classes.moved} aria-label="What changed in the tracker">
      <p>
        The issue was read again, and what would be written worked out anew. Your text is kept; this is what
        changed in the tracker:
      </p>
      <EditedTexts before={seen} after={{ ...title, ...description }} />
      <Button size="xs" onClick={onSuggestAnew}>
        Suggest for the new text
      </Button>
    </section>
  );
}
