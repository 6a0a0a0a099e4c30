import { STEERING } from '@winnow/contract/steering';
import type { ChangePlan } from '../../changes/plan.ts';

/** A call of an outside tool. */
export interface OutsideCall {
  server: string;
  name: string;
  /** Where the server is when the call is planned. */
  address: string;
  args: Record<string, unknown>;
}

/** Plans the call of an outside tool. `standIn` is an id for what is written to, which is no issue; `about` the issue it concerns. */
export function planCall(
  { server, name, address, args }: OutsideCall,
  about: { id: string; key: string } | null,
  standIn: string,
): ChangePlan {
  const label = `${server}/${name}`;
  return {
    kind: 'flow',
    title: `Called ${label}.`,
    rationale: null,
    confidence: null,
    issues: about === null ? [] : [{ id: about.id, key: about.key, contentHash: null }],
    steps: [
      {
        action: 'call_tool',
        issueId: standIn,
        key: label,
        before: {},
        after: { arguments: readable(args) },
        memory: { tool: { server, name, address } },
      },
    ],
    payload: {},
  };
}

/** JSON as a person checks it: in lines, and with what could not be seen in it written as its code. */
function readable(args: Record<string, unknown>): string {
  return JSON.stringify(args, null, 2).replace(STEERING, (character) =>
    character === '\n' ? character : codesOf(character),
  );
}

function codesOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
