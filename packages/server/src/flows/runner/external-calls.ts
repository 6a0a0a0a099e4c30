import { randomUUID } from 'node:crypto';
import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import type { ToolPolicy } from '@winnow/contract/flow';
import type { Ledger } from '../../changes/index.ts';
import { type ExternalTools, isRecord } from '../../mcp-servers/index.ts';
import { invalid } from '../../platform/errors.ts';
import { type CallOutcome, done, type ExecutionContext } from './call-outcome.ts';
import { planCall } from './plan-call.ts';
import { decideExternalCall, policyOf, type ToolFacts } from './policy.ts';
import type { Requests } from './requests.ts';

export interface ExternalCallsOptions {
  bound: ExecutionContext;
  outside: ExternalTools;
  ledger: Ledger;
  requests: Requests;
  signal: AbortSignal;
}

/** Calls the external tools of an execution, or proposes the calls. */
export class ExternalCalls {
  readonly #options: ExternalCallsOptions;

  constructor(options: ExternalCallsOptions) {
    this.#options = options;
  }

  /** True if, after a crash, it is unknown whether a started call took effect. */
  hasUnknownOutcomeAfterCrash(tool: ToolFacts): boolean {
    return !tool.isReading && this.#decide(tool, this.#policyOf(tool)) === 'run';
  }

  /** Implements {@link Toolbox.perform} for external tools. */
  async perform(tool: ToolFacts, input: unknown, request: string): Promise<CallOutcome | null> {
    const label = `${tool.server}/${tool.name}`;
    const acted = (summary: string) => ({ action: label, target_key: null, summary, change_id: null });
    const decision = this.#decide(tool, await this.#policyNow(tool));
    if (decision === 'deny') return null;
    if (!isRecord(input)) {
      throw invalid([
        { path: '', message: 'The arguments are not a JSON object. Call again with an object.' },
      ]);
    }
    switch (decision) {
      case 'pretend':
        return done(
          `${label} was not called because this is a dry run. Continue as if it succeeded.`,
          acted(`Would have called ${label}.`),
        );
      case 'propose': {
        const changeId = await this.#proposeCall(tool, input, request);
        return done(
          `${label} was not called yet: the call is proposed as change ${changeId} and requires approval. Continue without its result.`,
          {
            ...acted(`Proposed: Call ${label}. It will be called when approved.`),
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

  /**
   * Proposes a call and returns the id of its change. If an interrupted attempt proposed the call,
   * returns the id of that change.
   */
  async #proposeCall(
    { server, name }: ToolFacts,
    args: Record<string, unknown>,
    request: string,
  ): Promise<string> {
    const { bound, outside, requests, ledger } = this.#options;
    const { accountId, issue } = bound;
    const label = `${server}/${name}`;
    const before = await requests.findSavedChange(label, request);
    if (before !== null) return before;
    const address = await outside.addressOf(accountId, server);
    const plan = planCall({ server, name, address, args }, issue, randomUUID());
    if ((plan.steps[0]?.after.arguments ?? '').length > MAX_DESCRIPTION_CHARS) {
      throw invalid([
        { path: '', message: 'The arguments are too long to be reviewed. Call again with shorter ones.' },
      ]);
    }
    return ledger.save(accountId, requests.changeRequestFor(label, request, 'proposed'), plan);
  }

  #policyOf(tool: ToolFacts): ToolPolicy {
    return policyOf(this.#options.bound.definition.tool_policies, tool);
  }

  /**
   * Returns the flow's policy for a tool. If the server has moved to a new address since the
   * execution started, `allow` becomes `ask`.
   */
  async #policyNow(tool: ToolFacts): Promise<ToolPolicy> {
    const { bound, outside } = this.#options;
    const policy = this.#policyOf(tool);
    if (policy !== 'allow') return policy;
    const before = bound.definition.server_addresses?.[tool.server];
    return (await outside.addressOf(bound.accountId, tool.server)) === before ? 'allow' : 'ask';
  }

  #decide(tool: ToolFacts, policy: ToolPolicy) {
    return decideExternalCall(tool, policy, { dryRun: this.#options.bound.dryRun });
  }
}
