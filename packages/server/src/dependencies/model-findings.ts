import {
  findDependenciesPrompt,
  InferenceCache,
  type LanguageModels,
  plainReason,
  type Question,
  questionHash,
  quoteIn,
  type StoredInference,
  type StoredModel,
} from '../ai/index.ts';
import type { IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { claimQuestion, findQuestions, type QuestionRow, settleQuestion } from './model-request-store.ts';
import { type FoundDependency, replaceModelFindings } from './store.ts';
import { lockFindings } from './text-finding-store.ts';

/** Maximum number of issues in one model call. */
const MAX_ISSUES_PER_CALL = 20;
/**
 * Maximum confidence of a dependency found by a model. Lower than the confidence of a dependency
 * that a text states.
 */
const MAX_MODEL_CONFIDENCE = 0.8;
/** Minimum number of characters of a matching quote. Shorter quotes could match any text. */
const MIN_QUOTE_CHARS = 8;

/** A question to a model: which dependencies exist among these issues. */
export interface DependencyQuestion extends Question {
  issues: readonly IssueView[];
  model: StoredModel;
  /** Dependencies among these issues that the built-in analyst has already found. */
  found: readonly FoundDependency[];
}

/** Cache of dependencies found by language models. */
export type ModelFindings = InferenceCache<DependencyQuestion, FoundDependency[]>;

export interface ModelFindingsOptions {
  db: Db;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  languageModels: LanguageModels;
  /** Called when new dependencies can be displayed. */
  onFound: (accountId: string) => Promise<void>;
}

export function createModelFindings(options: ModelFindingsOptions): ModelFindings {
  const { db, now, log, onFound } = options;
  return new InferenceCache({
    store: {
      async findInferences(accountId, questions) {
        const rows = await findQuestions(
          db,
          accountId,
          questions.map(({ questionHash }) => questionHash),
        );
        return questions.map(({ questionHash }) =>
          inferenceOf(rows.find((row) => row.asked_as.equals(questionHash))),
        );
      },
      claim: (accountId, { questionHash, issues }, time) =>
        claimQuestion(db, accountId, { questionHash, issueIds: issues.map(({ id }) => id) }, time),
      save: (accountId, { questionHash, issues }, said) =>
        db.transaction().execute(async (transaction) => {
          const ids = issues.map(({ id }) => id);
          await lockFindings(transaction, accountId);
          await replaceModelFindings(transaction, accountId, ids, said);
          const outcome = { answered_at: now(), found: JSON.stringify(said) };
          await settleQuestion(transaction, accountId, questionHash, outcome);
        }),
      hold: (accountId, { questionHash }, until) =>
        settleQuestion(db, accountId, questionHash, { asked_until: until }),
      fail: (accountId, { questionHash }, until) =>
        settleQuestion(db, accountId, questionHash, { has_failed: true, asked_until: until }),
    },
    ask: (accountId, question, signal) => ask(options, accountId, question, signal),
    onAnswered: onFound,
    now,
    log,
  });
}

/**
 * Divides issues into questions to a model. Reuses earlier questions whose issues are unchanged.
 * Splits the remaining issues into groups, and fills up small groups with issues of the reused
 * questions.
 *
 * Thus issues added to a scan are judged together with earlier ones, and unchanged issues are not
 * sent again in other groups.
 */
export function questionsOf(
  issues: readonly IssueView[],
  by: StoredModel,
  found: readonly FoundDependency[],
  asked: readonly { asked_as: Buffer; issue_ids: readonly string[] }[],
): DependencyQuestion[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const left = new Set(issues);
  const questions: DependencyQuestion[] = [];
  for (const { asked_as, issue_ids } of asked.toSorted(
    (one, other) => other.issue_ids.length - one.issue_ids.length,
  )) {
    const group = issue_ids.flatMap((id) => byId.get(id) ?? []);
    if (group.length < issue_ids.length || !group.some((issue) => left.has(issue))) continue;
    const question = questionOf(group, by, withBothEndsIn(found, group));
    if (!question.questionHash.equals(asked_as)) continue;
    questions.push(question);
    for (const issue of group) left.delete(issue);
  }
  const others = issues.filter((issue) => !left.has(issue)).toReversed();
  for (const some of inGroups([...left], MAX_ISSUES_PER_CALL)) {
    const group = [...some, ...others.slice(0, MAX_ISSUES_PER_CALL - some.length)];
    if (group.length > 1) questions.push(questionOf(group, by, withBothEndsIn(found, group)));
  }
  return questions;
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  );
}

/** Returns the dependencies between two issues that are both in `issues`. */
function withBothEndsIn(found: readonly FoundDependency[], issues: readonly IssueView[]): FoundDependency[] {
  const ids = new Set(issues.map(({ id }) => id));
  return found.filter(
    ({ source_issue, dependent_issue }) => ids.has(source_issue) && ids.has(dependent_issue),
  );
}

/** Builds the question for the current texts of issues. The order of `issues` does not matter. */
function questionOf(
  issues: readonly IssueView[],
  by: StoredModel,
  found: readonly FoundDependency[],
): DependencyQuestion {
  const inOrder = [...issues].sort((one, other) => (one.id < other.id ? -1 : 1));
  const texts = inOrder.map((issue) => [issue.id, issue.key, issue.title, issue.description]);
  const byRules = found
    .map(({ source_issue, dependent_issue }) => `${source_issue} ${dependent_issue}`)
    .sort();
  return {
    about: inOrder.map((issue) => issue.id).join(' '),
    questionHash: questionHash(findDependenciesPrompt, by, [...texts, byRules]),
    issues: inOrder,
    model: by,
    found,
  };
}

async function ask(
  { languageModels }: ModelFindingsOptions,
  accountId: string,
  { issues, model, found }: DependencyQuestion,
  signal: AbortSignal,
): Promise<FoundDependency[]> {
  const placeOf = (id: string) => issues.findIndex((issue) => issue.id === id);
  const { dependencies } = await languageModels.ask(
    accountId,
    model,
    'dependencies',
    findDependenciesPrompt,
    {
      issues: issues.map(({ key, title, description }) => ({ key, title, body: description })),
      found: found.map(({ source_issue, dependent_issue }) => {
        return { source: placeOf(source_issue), dependent: placeOf(dependent_issue) };
      }),
    },
    signal,
  );
  const known = new Set(found.map(pairOf));
  return dependencies.flatMap((said) => {
    const [source, dependent] = [issues[said.first - 1], issues[said.after - 1]];
    if (!source || !dependent || source.id === dependent.id) return [];
    // Skips dependencies with a quote that is not in the issue: the model has probably invented
    // them.
    if (!says(source, said.first_quote) || !says(dependent, said.after_quote)) return [];
    const one: FoundDependency = {
      source_issue: source.id,
      dependent_issue: dependent.id,
      reason: plainReason(said.reason),
      confidence: Math.min(MAX_MODEL_CONFIDENCE, said.confidence),
      found_by: model.name,
    };
    // Keeps only one dependency per pair of issues. Dependencies found by the built-in analyst take
    // precedence.
    if (known.has(pairOf(one))) return [];
    known.add(pairOf(one));
    return [one];
  });
}

function says(issue: IssueView, quote: string): boolean {
  return (quoteIn(issue, quote)?.quote.length ?? 0) >= MIN_QUOTE_CHARS;
}

function pairOf({ source_issue, dependent_issue }: FoundDependency): string {
  return [source_issue, dependent_issue].sort().join(' ');
}

function inferenceOf(row: QuestionRow | undefined): StoredInference<FoundDependency[]> | undefined {
  if (row === undefined) return undefined;
  return {
    questionHash: row.asked_as,
    askedUntil: row.asked_until,
    hasFailed: row.has_failed,
    answered: row.found === null ? null : { as: row.asked_as, answer: row.found },
  };
}
