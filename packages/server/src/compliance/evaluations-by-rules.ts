import type { EvaluatedIssue, Evaluation } from '@winnow/analysis/readiness';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { InferenceState } from '../ai/index.ts';
import type { IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Db } from '../schema/tables.ts';
import { citationsAt } from './citations.ts';
import { evaluatedIssue } from './evaluated-issue.ts';
import { resultKeyOf } from './judges.ts';
import { findResults, type StoredEvaluation, saveResults, type UnsavedResult } from './result-store.ts';

/** Judges issues by rules in a worker thread. Deterministic. */
type RuleBasedJudge = (
  issues: readonly EvaluatedIssue[],
  criteria: CompliancePrompt['criteria'],
) => Promise<Evaluation[]>;

export interface RuleEvaluationsOptions {
  db: Db;
  now: () => Date;
  judge: RuleBasedJudge;
  /** Called when results become available after the response was sent. */
  onEvaluated: (accountId: string) => Promise<void>;
  log: Pick<Log, 'warn'>;
}

/** Computes and stores the results of the built-in analyst. */
export class RuleEvaluations {
  readonly #options: RuleEvaluationsOptions;
  readonly #running = new SingleFlight<void>();

  constructor(options: RuleEvaluationsOptions) {
    this.#options = options;
  }

  /**
   * Judges an issue by a prompt. If `texts` is given, judges these texts instead of the issue's
   * own. Stores nothing.
   */
  async judge(
    issue: IssueView,
    { criteria }: CompliancePrompt,
    { title, description }: { title: string; description: string } = issue,
  ): Promise<Evaluation> {
    const texts = { ...evaluatedIssue(issue), title, body: description };
    const [evaluation] = await this.#options.judge([texts], criteria);
    if (!evaluation) throw new Error('The built-in analyst skipped an issue.');
    return evaluation;
  }

  /**
   * Judges issues without a current result. Returns all results by issue id. Stops waiting when
   * `late` resolves; `onEvaluated` reports the results that are then still missing.
   */
  async evaluateUntil(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
    late: Promise<unknown>,
  ): Promise<Map<string, InferenceState<StoredEvaluation>>> {
    const before = await this.#currentStates(accountId, prompt, issues);
    const missing = issues.filter(({ id }) => {
      const standing = before.get(id);
      return standing?.state !== 'answered' || standing.stale;
    });
    if (missing.length === 0) return before;
    const judged = this.evaluateAndStore(accountId, prompt, missing);
    const isDone = await Promise.race([judged.then(() => true), late.then(() => false)]);
    if (!isDone) this.#announceWhenDone(accountId, judged);
    return this.#currentStates(accountId, prompt, issues);
  }

  /**
   * Judges issues and stores the results. Concurrent calls for the same issues share one
   * computation.
   */
  async evaluateAndStore(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
  ): Promise<void> {
    if (issues.length === 0) return;
    const forms = issues.map(
      (issue) => `${issue.id} ${resultKeyOf(issue, prompt, null).questionHash.toString('hex')}`,
    );
    const batch = [accountId, prompt.id, ...forms].join(' ');
    await this.#running.run(batch, () => this.#judgeAndKeep(accountId, prompt, issues));
  }

  /** Converts an evaluation to a result that can be stored and returned. */
  toUnsaved(issue: IssueView, { criteria, factor, reason, suggestion, estimate }: Evaluation): UnsavedResult {
    const found = criteria.map(({ id, score, note, evidence, fix }) => {
      return { id, score, note, fix, evidence: citationsAt(issue, evidence) };
    });
    return {
      factor,
      findings: { reason, suggestion, estimate, criteria: found },
      ai_model_id: null,
      ai_model_name: BUILT_IN_ANALYST,
      evaluated_at: this.#options.now(),
    };
  }

  async #currentStates(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
  ): Promise<Map<string, InferenceState<StoredEvaluation>>> {
    const keys = issues.map((issue) => resultKeyOf(issue, prompt, null));
    const found = await findResults(this.#options.db, accountId, keys);
    return new Map(
      keys.map(({ issueId, questionHash }, index): [string, InferenceState<StoredEvaluation>] => {
        const newest = found[index]?.newest ?? null;
        if (newest === null) return [issueId, { state: 'checking' }];
        return [issueId, { state: 'answered', answer: newest, stale: !newest.asked_as.equals(questionHash) }];
      }),
    );
  }

  #announceWhenDone(accountId: string, judged: Promise<void>): void {
    const { onEvaluated, log } = this.#options;
    judged
      .then(() => onEvaluated(accountId))
      .catch((error: unknown) => log.warn({ error }, 'Issues could not be evaluated.'));
  }

  async #judgeAndKeep(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
  ): Promise<void> {
    const evaluations = await this.#options.judge(issues.map(evaluatedIssue), prompt.criteria);
    const results = issues.flatMap((issue, index) => {
      const evaluation = evaluations[index];
      return evaluation
        ? [{ ...resultKeyOf(issue, prompt, null), ...this.toUnsaved(issue, evaluation) }]
        : [];
    });
    await saveResults(this.#options.db, accountId, results);
  }
}
