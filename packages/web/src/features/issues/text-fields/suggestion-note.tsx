import { Button, Loader } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import classes from './suggestion-note.module.css';

export type SuggestionNoteProps = {
  suggestion: {
    /** Author of the suggestion, with an optional explanation. */
    data: { ai_model_name: string; explanation?: string } | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** True if the user edited the suggestion. */
  typed: boolean;
  onReset: () => void;
};

/**
 * States who made a suggestion and why, or that the suggestion is loading. If the user edited the
 * suggestion, offers a button to restore it.
 */
export function SuggestionNote({ suggestion, typed, onReset }: SuggestionNoteProps) {
  const { data, error, refetch, isFetching } = suggestion;
  if (error !== null && data === undefined) {
    return (
      <ErrorState
        error={error}
        title="Failed to load suggestion."
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (data === undefined) {
    return (
      <p className={classes.note} role="status">
        <Loader size={14} aria-hidden /> Generating suggestion...
      </p>
    );
  }
  return (
    <div className={classes.note}>
      <IconSparkles size={14} stroke={1.75} aria-hidden />
      <p>
        Suggested by {data.ai_model_name}. {data.explanation}
      </p>
      {typed ? (
        <Button variant="transparent" color="accent" size="xs" onClick={onReset}>
          Use the suggestion
        </Button>
      ) : null}
    </div>
  );
}
