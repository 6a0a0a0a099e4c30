import { randomUUID } from 'node:crypto';
import { LONGEST_DESCRIPTION } from '@winnow/contract/change';
import type { ToolPolicy } from '@winnow/contract/flow';
import type { Ledger } from '../../changes/ledger.ts';
import { type ExternalTools, isRecord } from '../../mcp-servers/external-tools.ts';
import { invalid } from '../../platform/errors.ts';
import { type BoundTo, done, type Performed } from './performed.ts';
import { planCall } from './plan-call.ts';
import { fateOfOutside, policyOf, type ToolFacts } from './policy.ts';
import type { Requests } from './requests.ts';

export interface OutsideCallsOptions {
  bound: BoundTo;
  outside: ExternalTools;
  ledger: Ledger;
  requests: Requests;
  signal: AbortSignal;
}

/** Calls tools of others for one execution, or has such calls approved. */
export class OutsideCalls {
  readonly #options: OutsideCallsOptions;

  constructor(options: OutsideCallsOptions) {
    this.#options = options;
  }

  /** Whether it cannot be told of a call of this tool, once it was begun, if it was carried out. */
  leavesNoTrace(tool: ToolFacts): boolean {
    return !tool.isReading && this.#fateOf(tool, this.#policyOf(tool)) === 'run';
  }

  /** As `Toolbox.perform`. */
  async perform(tool: ToolFacts, input: unknown, request: string): Promise<Performed | null> {
    const label = `${tool.server}/${tool.name}`;
    const acted = (summary: string) => ({ action: label, target_key: null, summary, change_id: null });
    const fate = this.#fateOf(tool, await this.#policyNow(tool));
    if (fate === 'deny') return null;
    if (!isRecord(input)) {
      throw invalid([{ path: '', message: 'The arguments are no JSON object. Call again with one.' }]);
    }
    switch (fate) {
      case 'pretend':
        return done(
          `${label} was not called, since this is a dry run. Go on as if it was done.`,
          acted(`Would have called ${label}.`),
        );
      case 'propose': {
        const changeId = await this.#proposeCall(tool, input, request);
        return done(
          `${label} was not called yet: the call is proposed as change ${changeId}, and somebody has to approve it. Go on without its answer.`,
          {
            ...acted(`Proposed: Call ${label}. It is called once somebody approves it.`),
            change_id: changeId,
          },
        );
      }
      case 'run': {
        const { bound, outside, signal } = this.#options;
        const { server, name, isReading } = tool;
        const { text, isError } = await outside.call(bound.accountId, server, name, input, signal);
        return {
          answer: text,
          isError,
          action: isReading || isError ? null : acted(`Called ${label}.`),
        };
      }
    }
  }

  /** Answers the change that waits for approval, which may have been saved before an interruption. */
  async #proposeCall(
    { server, name }: ToolFacts,
    args: Record<string, unknown>,
    request: string,
  ): Promise<string> {
    const { bound, outside, requests, ledger } = this.#options;
    const { accountId, issue } = bound;
    const label = `${server}/${name}`;
    const before = await requests.savedFor(label, request);
    if (before !== null) return before;
    const address = await outside.addressOf(accountId, server);
    const plan = planCall({ server, name, address, args }, issue, randomUUID());
    if ((plan.steps[0]?.after.arguments ?? '').length > LONGEST_DESCRIPTION) {
      throw invalid([
        { path: '', message: 'The arguments are too long for somebody to approve. Call again with less.' },
      ]);
    }
    return ledger.save(accountId, requests.asked(label, request, 'proposed'), plan);
  }

  #policyOf(tool: ToolFacts): ToolPolicy {
    return policyOf(this.#options.bound.definition.tool_policies, tool);
  }

  /** As the flow has it, but that what is allowed asks once another server has the name than when the execution was begun. */
  async #policyNow(tool: ToolFacts): Promise<ToolPolicy> {
    const { bound, outside } = this.#options;
    const policy = this.#policyOf(tool);
    if (policy !== 'allow') return policy;
    const before = bound.definition.server_addresses?.[tool.server];
    return (await outside.addressOf(bound.accountId, tool.server)) === before ? 'allow' : 'ask';
  }

  #fateOf(tool: ToolFacts, policy: ToolPolicy) {
    return fateOfOutside(tool, policy, { dryRun: this.#options.bound.dryRun });
  }
}
