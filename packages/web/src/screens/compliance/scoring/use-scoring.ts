import { useMutation } from '@tanstack/react-query';
import type { ComplianceRun, ComplianceRunPreview } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ApiError, sentenceOf } from '../../../api/session/api-error.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';
import {
  isRunning,
  previewScoring,
  type ScoringRequest,
  useRuns,
  useStartScoring,
  useStopScoring,
} from './queries.ts';

/**
 * Request for confirmation before a language model scores issues. It stays set until the closing
 * animation ends.
 */
type ScoringConfirmation = { scored: ScoringRequest; preview: ComplianceRunPreview; opened: boolean };

/** State of the scoring runs, and functions that start and stop them. */
export type Scoring = {
  /** Returns the newest scoring run of a project. */
  runOf: (projectId: string) => ComplianceRun | undefined;
  running: readonly ComplianceRun[];
  /** Starts scoring. If a language model would score issues, asks for confirmation first. */
  start: (projectIds: readonly string[]) => void;
  /** Ids of the projects whose scoring is being started. */
  starting: readonly string[];
  stop: (runs: readonly ComplianceRun[]) => void;
  stopping: boolean;
  asked: ScoringConfirmation | null;
  /** Error of a scoring run that the user confirmed but that could not be started. */
  error: unknown;
  confirming: boolean;
  confirm: () => void;
  cancel: () => void;
};

function showFailure(error: unknown): void {
  showToast({ id: 'scoring', kind: 'failed', text: sentenceOf(error) });
}

/**
 * Returns the state of scoring whole projects, and functions that start and stop it. Loads nothing
 * while the prompt is null.
 */
export function useScoring(promptId: string | null, status: StatusFilter): Scoring {
  const { data } = useRuns(promptId);
  const runs = data?.runs ?? [];
  const [asked, setAsked] = useState<ScoringConfirmation | null>(null);
  const close = () => setAsked((before) => before && { ...before, opened: false });
  const begin = useOneAtATime(useStartScoring());
  const confirmed = useOneAtATime(useStartScoring());
  const stopping = useOneAtATime(useStopScoring());
  const previewing = useOneAtATime(
    useMutation({
      mutationFn: previewScoring,
      onSuccess: (preview, scored) => {
        confirmed.reset();
        setAsked({ scored, preview, opened: true });
      },
      onError: showFailure,
    }),
  );
  const isStarting = begin.isPending || previewing.isPending;
  return {
    runOf: (projectId) => runs.find(({ project_id }) => project_id === projectId),
    running: runs.filter(isRunning),
    start: (projectIds) => {
      if (promptId === null) return;
      const scored = { prompt_name: promptId, project_ids: projectIds, status };
      begin.mutate(
        { ...scored, most_calls: 0 },
        {
          // The first request allows no model calls. If some are needed, ask the user for
          // confirmation.
          onError: (error) =>
            error instanceof ApiError && error.code === 'more_calls'
              ? previewing.mutate(scored)
              : showFailure(error),
        },
      );
    },
    starting: isStarting ? (begin.variables?.project_ids ?? []) : [],
    stop: (stopped) => stopping.mutate(stopped, { onError: showFailure }),
    stopping: stopping.isPending,
    asked,
    error: confirmed.error,
    confirming: confirmed.isPending,
    confirm: () => {
      if (asked === null) return;
      confirmed.mutate({ ...asked.scored, most_calls: asked.preview.calls }, { onSuccess: close });
    },
    cancel: close,
  };
}
