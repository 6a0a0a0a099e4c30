import { isId } from '@winnow/contract/primitives';
import { AppError, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { modelOfPairs } from './analysis-state-store.ts';
import { ANY_TRACKER, ambiguousKey, type KeyScope, within } from './key-scope.ts';
import { findAtAddress } from './search/reference.ts';
import * as store from './store.ts';

/** Read access to the issues of an account. */
export class Issues {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Finds an issue by its id or key, and returns it with its comments.
   *
   * @throws {AppError} like {@link Issues.findByIdOrKey}
   */
  async detail(
    accountId: string,
    idOrKey: string,
    scope?: KeyScope,
  ): Promise<{ issue: store.IssueView; comments: store.CommentRow[] }> {
    const issue = await this.findByIdOrKey(accountId, idOrKey, scope);
    return { issue, comments: await store.commentsOf(this.#db, accountId, issue.id) };
  }

  /**
   * Finds an issue by its id, key or web address.
   * @throws {AppError} `not_found` if it does not exist
   * @throws {AppError} `invalid` (code `ambiguous_key`), with the candidates, if several trackers
   * have the key and `scope` does not select one
   */
  async findByIdOrKey(
    accountId: string,
    name: string,
    scope: KeyScope = ANY_TRACKER,
  ): Promise<store.IssueView> {
    const found = await this.#findNamed(accountId, name);
    const candidates = within(scope, found);
    const [issue, other] = candidates;
    if (!issue) throw notFound();
    if (other) throw ambiguousKey(name, candidates);
    return issue;
  }

  async #findNamed(accountId: string, name: string): Promise<store.IssueView[]> {
    if (isId(name)) return store.findIssues(this.#db, accountId, [name]);
    const byKey = await store.findIssuesByKey(this.#db, accountId, name);
    if (byKey.length > 0) return byKey;
    const atAddress = await findAtAddress(this.#db, accountId, name);
    return store.findIssues(
      this.#db,
      accountId,
      atAddress.map(({ id }) => id),
    );
  }

  /** Returns the comments of an issue, oldest first. */
  comments(accountId: string, issueId: string): Promise<store.CommentRow[]> {
    return store.commentsOf(this.#db, accountId, issueId);
  }

  count(accountId: string) {
    return store.countIssues(this.#db, accountId);
  }

  /** Returns the name of the model with which the account's stored pairs were computed. */
  modelOfPairs(accountId: string): Promise<string> {
    return modelOfPairs(this.#db, accountId);
  }

  organizations(accountId: string, filter: Parameters<typeof store.listOrganizations>[2]) {
    return store.listOrganizations(this.#db, accountId, filter);
  }

  projects(accountId: string, filter?: Parameters<typeof store.listProjects>[2]) {
    return store.listProjects(this.#db, accountId, filter);
  }

  /**
   * Returns the names of the account's projects. This is faster than {@link projects}, which
   * returns further fields.
   */
  projectNames(accountId: string) {
    return store.projectNamesOf(this.#db, accountId);
  }

  /** Finds the projects and trackers of these issues. The keys of the result are issue ids. */
  placesOf(accountId: string, issueIds: readonly string[]) {
    return store.placesOf(this.#db, accountId, issueIds);
  }

  /** Returns those of the given keys that belong to issues of a project. */
  keysIn(accountId: string, projectId: string, keys: readonly string[]): Promise<string[]> {
    return store.keysIn(this.#db, accountId, projectId, keys);
  }

  /**
   * Converts project references to full ids, without duplicates. A reference is an id or its first
   * segment. Ignores unknown references, so that a filter for a deleted project finds nothing.
   * @throws {AppError} `invalid` for an ambiguous segment
   */
  async resolveProjects(accountId: string, references: readonly string[]): Promise<string[]> {
    if (references.length === 0) return [];
    const all = await store.projectNamesOf(this.#db, accountId);
    const found = references.flatMap((reference) => {
      const matches = all
        .map(({ id }) => id)
        .filter((id) => id === reference || id.split('-', 1)[0] === reference);
      if (matches.length > 1) {
        throw new AppError({
          code: 'ambiguous_project',
          category: 'invalid',
          detail: `More than one project begins with ${reference}. Use the full id.`,
          fields: [{ path: 'project_ids', message: `${reference} is ambiguous.` }],
        });
      }
      return matches;
    });
    return [...new Set(found)];
  }
}
