import type { Tracker } from '@winnow/contract/tracker';
import { useState } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import type { CheckedConnection } from '../../../features/tracker-scope/use-projects.ts';
import { useConnectionCheck } from '../../../features/trackers/queries.ts';
import { CONNECTION_FIELDS, type ConnectionValues, connectionOf, firstLine } from './connection-form.ts';

/** Number of checked credentials, used to give each a unique id. */
let connections = 0;

type FieldErrors = Partial<Record<keyof ConnectionValues, string>>;

/** Checks the connection after step 1. Stores the last success and the last error. */
export function useConnection(tracker: Tracker | null) {
  const test = useConnectionCheck();
  const [checked, setChecked] = useState<CheckedConnection | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function succeed(parts: Omit<CheckedConnection, 'id'>): void {
    const isSame = checked !== null && JSON.stringify(checked.request) === JSON.stringify(parts.request);
    if (!isSame) connections += 1;
    setChecked({ ...parts, id: isSame ? checked.id : `connection-${connections}` });
  }

  /**
   * Checks the connection. `ok` is true if the check succeeded. `fields` contains the errors of
   * form fields.
   */
  async function check(values: ConnectionValues): Promise<{ ok: boolean; fields: FieldErrors }> {
    const request = connectionOf(values, tracker);
    setProblem(null);
    try {
      const { success, message, orgs } = await test.mutateAsync(request);
      if (success) succeed({ request, message: firstLine(message), organizations: orgs });
      else setProblem(firstLine(message));
      return { ok: success, fields: {} };
    } catch (error) {
      const fields = fieldErrorsOf(error, CONNECTION_FIELDS);
      if (Object.keys(fields).length === 0) setProblem(firstLine(sentenceOf(error)));
      return { ok: false, fields };
    }
  }

  return { checked, problem, check, checking: test.isPending };
}
