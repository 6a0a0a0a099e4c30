import type { EvaluatedIssue, Evaluation, Improvement } from '@winnow/analysis/readiness';
import { lineSources } from '@winnow/analysis/suggest/line-sources';
import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import type { CompliancePrompt, ComplianceSuggestion } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { type CostBudget, improveIssuePrompt, plainLine, type TextGenerator } from '../ai/index.ts';
import type { Issues, IssueView } from '../issues/index.ts';
import { evaluatedIssue } from './evaluated-issue.ts';
import type { RuleEvaluations } from './evaluations-by-rules.ts';
import type { ImprovementPlace } from './improvement-store.ts';
import type { Prompts } from './prompts.ts';

const MAX_CHANGES = 10;

/** Suggests improved texts by rules in a worker thread. */
type RuleBasedWriter = (
  issue: EvaluatedIssue,
  evaluation: Evaluation,
  criteria: CompliancePrompt['criteria'],
) => Promise<Improvement>;

export interface ImprovementsOptions {
  issues: Issues;
  prompts: Prompts;
  judging: Pick<RuleEvaluations, 'judge'>;
  byRules: RuleBasedWriter;
  writing: TextGenerator<ImprovementPlace>;
}

/**
 * Suggests improved texts for issues. Users can edit the suggestion. Nothing is written to
 * trackers.
 */
export class Improvements {
  readonly #options: ImprovementsOptions;

  constructor(options: ImprovementsOptions) {
    this.#options = options;
  }

  /**
   * Suggests texts that would raise an issue's score by a prompt. Uses the answer of the account's
   * language model if it is usable; otherwise, asks the built-in analyst. If the issue's
   * description exceeds the maximum length, returns its current texts with a notice. Throws
   * `not_found` if the issue or the prompt is missing.
   */
  async suggest(
    accountId: string,
    promptId: string,
    issueId: string,
    budget: CostBudget | null,
  ): Promise<ComplianceSuggestion> {
    const { issues, prompts, judging, byRules } = this.#options;
    const issue = await issues.findByIdOrKey(accountId, issueId);
    const prompt = await prompts.findPromptById(accountId, promptId);
    const before = await judging.judge(issue, prompt);
    if (issue.description.length > MAX_DESCRIPTION_CHARS) return tooLong(issue, before);
    const builtIn = await byRules(evaluatedIssue(issue), before, prompt.criteria);
    const written = await this.#byModel(accountId, issue, prompt, { before, builtIn, budget });
    const texts = written ?? { ...builtIn, ai_model_id: null, ai_model_name: BUILT_IN_ANALYST };
    const after = await judging.judge(issue, prompt, texts);
    return { ...texts, score: { before: before.factor, after: after.factor }, notice: null };
  }

  async #byModel(
    accountId: string,
    issue: IssueView,
    prompt: CompliancePrompt,
    { before, builtIn, budget }: { before: Evaluation; builtIn: Improvement; budget: CostBudget | null },
  ): Promise<Omit<ComplianceSuggestion, 'score' | 'notice'> | null> {
    const fixes = new Map(before.criteria.map(({ id, fix }) => [id, fix]));
    const criteria = prompt.criteria.map(({ id, name, description }) => ({
      name,
      description,
      fix: fixes.get(id) ?? null,
    }));
    const written = await this.#options.writing.generate(accountId, budget, {
      place: { issueId: issue.id, promptId: prompt.id },
      prompt: improveIssuePrompt,
      input: { key: issue.key, issue: evaluatedIssue(issue), criteria, builtIn },
      titles: [issue.title],
      descriptions: [issue.description],
      dependsOn: [issue.key, issue.issue_type, prompt.id, prompt.version],
      textsOf: ({ title, description }) => [title, description],
    });
    if (written === null) return null;
    const { answer, author } = written;
    return {
      title: answer.title,
      description: answer.description,
      changes: answer.changes.slice(0, MAX_CHANGES).flatMap((line) => plainLine(line) ?? []),
      sources: lineSources(answer.description, issue.description, '').map((source) =>
        source === 'new' ? 'new' : 'issue',
      ),
      ai_model_id: author.aiModelId,
      ai_model_name: author.name,
    };
  }
}

function tooLong({ title, description }: IssueView, { factor }: Evaluation): ComplianceSuggestion {
  const most = MAX_DESCRIPTION_CHARS.toLocaleString('en');
  return {
    title,
    description,
    changes: [],
    sources: description.split('\n').map(() => 'issue'),
    score: { before: factor, after: factor },
    notice: `There is no suggestion: the description is longer than the maximum of ${most} characters. Shorten it in the tracker first.`,
    ai_model_id: null,
    ai_model_name: BUILT_IN_ANALYST,
  };
}
