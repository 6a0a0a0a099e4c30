import type { Dependency } from '@winnow/contract/dependency';
import { useState } from 'react';
import { showToast } from '../../../ui/toasts/toast.tsx';
import type { CommitScope } from '../badges/dependency-details.tsx';
import type { CommitRequest } from './commit-dialog.tsx';

/** Stores the dependencies to commit, and opens the commit dialog for them. */
export function useCommitRequest() {
  const [asked, setAsked] = useState<CommitRequest | null>(null);
  const ask = (dependencies: readonly Dependency[], scope: CommitScope) =>
    setAsked((before) => ({ dependencies, scope, opened: true, number: (before?.number ?? 0) + 1 }));
  return {
    asked,
    ask,
    /** Like `ask`, but if there are no dependencies, shows the text `nothing` in a toast. */
    askOrNotify: (dependencies: readonly Dependency[], scope: CommitScope, nothing: string) => {
      if (dependencies.length > 0) ask(dependencies, scope);
      else showToast({ id: 'nothing-to-commit', kind: 'undone', text: nothing });
    },
    close: () => setAsked((before) => before && { ...before, opened: false }),
  };
}
