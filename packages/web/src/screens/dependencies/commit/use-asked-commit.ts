import type { Dependency } from '@winnow/contract/dependency';
import { useState } from 'react';
import { showToast } from '../../../ui/toasts/toast.tsx';
import type { CommitScope } from '../badges/dependency-details.tsx';
import type { AskedCommit } from './commit-dialog.tsx';

/** What committing is asked for, one asking after the other. */
export function useAskedCommit() {
  const [asked, setAsked] = useState<AskedCommit | null>(null);
  const ask = (dependencies: readonly Dependency[], scope: CommitScope) =>
    setAsked((before) => ({ dependencies, scope, opened: true, number: (before?.number ?? 0) + 1 }));
  return {
    asked,
    ask,
    /** The same, but where there is nothing to commit it says so. */
    askOr: (dependencies: readonly Dependency[], scope: CommitScope, nothing: string) => {
      if (dependencies.length > 0) ask(dependencies, scope);
      else showToast({ id: 'nothing-to-commit', kind: 'undone', text: nothing });
    },
    close: () => setAsked((before) => before && { ...before, opened: false }),
  };
}
