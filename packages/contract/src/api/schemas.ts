import { z } from 'zod';
import * as account from '../account.ts';
import * as accountActivity from '../account-activity.ts';
import * as aiModel from '../ai-model.ts';
import * as apiKey from '../api-key.ts';
import * as audit from '../audit.ts';
import * as change from '../change.ts';
import * as cluster from '../cluster.ts';
import * as compliance from '../compliance.ts';
import * as dependency from '../dependency.ts';
import * as duplicate from '../duplicate.ts';
import * as error from '../error.ts';
import * as flow from '../flow.ts';
import * as issue from '../issue.ts';
import * as issueDetail from '../issue-detail.ts';
import * as lead from '../lead.ts';
import * as mcpServer from '../mcp-server.ts';
import * as passkey from '../passkey.ts';
import * as plan from '../plan.ts';
import * as preview from '../preview.ts';
import { jsonValue } from '../primitives.ts';
import * as search from '../search.ts';
import * as secondFactor from '../second-factor.ts';
import * as suggestion from '../suggestion.ts';
import * as tracker from '../tracker.ts';
import * as usage from '../usage.ts';
import * as verdict from '../verdict.ts';
import * as workspace from '../workspace.ts';

const MODULES = [
  account,
  accountActivity,
  aiModel,
  apiKey,
  audit,
  change,
  cluster,
  compliance,
  dependency,
  duplicate,
  error,
  flow,
  issue,
  issueDetail,
  lead,
  mcpServer,
  passkey,
  plan,
  preview,
  search,
  secondFactor,
  suggestion,
  tracker,
  usage,
  verdict,
  workspace,
  { jsonValue },
];

/**
 * Returns all schemas of the contract, with their names in the API description. A name comes from
 * the export: `pairList` becomes `PairList`. A schema that is exported several times gets the name
 * of the first export.
 * @throws {Error} if two schemas have the same name
 */
export function namedSchemas(): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Set<string>();
  for (const [key, value] of MODULES.flatMap((exports) => Object.entries<unknown>(exports))) {
    if (!(value instanceof z.ZodType) || names.has(value)) continue;
    const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    if (taken.has(name)) throw new Error(`Two schemas of the contract are named ${key}.`);
    names.set(value, name);
    taken.add(name);
  }
  return names;
}
