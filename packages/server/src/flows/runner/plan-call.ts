import { INVISIBLE_CHARACTERS } from '@winnow/contract/invisible-characters';
import type { ChangePlan } from '../../changes/index.ts';

/** A call of an external tool. */
export interface OutsideCall {
  server: string;
  name: string;
  /** Hash of the server's address at the time of planning. */
  address: string;
  args: Record<string, unknown>;
}

/**
 * Plans a change that calls an external tool. `about` is the issue that the call relates to. The
 * call writes to no issue, so the random id `standIn` is stored as the target of its step.
 */
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

/** Formats JSON for review: over several lines, with invisible characters escaped. */
function readable(args: Record<string, unknown>): string {
  return JSON.stringify(args, null, 2).replace(INVISIBLE_CHARACTERS, (character) =>
    character === '\n' ? character : codesOf(character),
  );
}

function codesOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
