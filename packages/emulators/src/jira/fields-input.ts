import { isObject, type JsonObject } from '../http/json.ts';
import type { IssueEdit } from './issue-changes.ts';
import { fieldError, JiraError } from './jira-error.ts';
import type { Issue, User } from './model.ts';
import type { Store } from './store.ts';

const longestText = 32_767;

/**
 * Parses the objects `fields` and `update` of a request into an edit.
 * @throws {JiraError} 400 with Jira's messages
 */
export function readEdit(store: Store, issue: Issue | null, body: JsonObject): IssueEdit {
  const fields = isObject(body.fields) ? body.fields : {};
  const update = isObject(body.update) ? body.update : {};
  const edit: IssueEdit = {};
  for (const [name, value] of Object.entries(fields)) {
    switch (name) {
      case 'summary':
        edit.summary = readSummary(value);
        break;
      case 'description':
        edit.description = readDocument(store, 'description', value);
        break;
      case 'labels':
        edit.labels = readLabels(Array.isArray(value) ? value : [value]);
        break;
      case 'assignee':
        edit.assignee = readUser(store, value);
        break;
      case 'project':
      case 'issuetype':
        break;
      default:
        throw fieldError(
          name,
          `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`,
        );
    }
  }
  if (Array.isArray(update.labels)) {
    const labels = [...(issue?.labels ?? [])];
    for (const operation of update.labels) {
      if (!isObject(operation)) throw fieldError('labels', 'data was not an array');
      const [added] = operation.add === undefined ? [] : readLabels([operation.add]);
      if (added !== undefined && !labels.includes(added)) labels.push(added);
      const at = labels.indexOf(String(operation.remove));
      if (operation.remove !== undefined && at !== -1) labels.splice(at, 1);
    }
    edit.labels = labels;
  }
  return edit;
}

function readSummary(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw fieldError('summary', 'You must specify a summary of the issue.');
  if (value.length > 255) throw fieldError('summary', 'Summary must be less than 255 characters.');
  if (/[\r\n]/.test(value)) {
    throw fieldError('summary', 'The summary is invalid because it contains newline characters.');
  }
  return value;
}

/**
 * Parses a rich text. It is a document (ADF) on Cloud, and a string on Data Center.
 * @throws {JiraError} 400 if it is too long or has another type
 */
export function readDocument(store: Store, field: string, value: unknown): unknown {
  if (value === null) return null;
  if (store.isCloud) {
    if (!isObject(value) || value.type !== 'doc' || value.version !== 1 || !Array.isArray(value.content)) {
      throw fieldError(
        field,
        'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
      );
    }
    requireNodes(field, value.content);
    const length = textLength(value.content);
    if (length > longestText) throw fieldError(field, 'CONTENT_LIMIT_EXCEEDED');
    return store.site.storedText(value);
  }
  if (typeof value !== 'string') throw fieldError(field, 'Operation value must be a string');
  if (value.length > longestText) {
    throw fieldError(
      field,
      `The entered text is too long. It exceeds the allowed limit of ${longestText.toLocaleString('en')} characters.`,
    );
  }
  return store.site.storedText(value);
}

function requireNodes(field: string, nodes: unknown[]): void {
  for (const node of nodes) {
    const isBad = !isObject(node) || typeof node.type !== 'string' || (node.type === 'text' && !node.text);
    if (isBad) throw new JiraError(400, ['INVALID_INPUT'], { [field]: 'INVALID_INPUT' });
    if (Array.isArray(node.content)) requireNodes(field, node.content);
  }
}

function textLength(nodes: unknown[]): number {
  let length = 0;
  for (const node of nodes) {
    if (!isObject(node)) continue;
    if (typeof node.text === 'string') length += node.text.length;
    if (Array.isArray(node.content)) length += textLength(node.content);
  }
  return length;
}

function readLabels(values: readonly unknown[]): string[] {
  return values.map((value) => {
    if (typeof value !== 'string' || value === '') throw fieldError('labels', 'string expected at index 0');
    if (/\s/.test(value))
      throw fieldError('labels', `The label '${value}' contains spaces which is invalid.`);
    return value;
  });
}

function readUser(store: Store, value: unknown): User | null {
  if (value === null) return null;
  const id = isObject(value) ? (store.isCloud ? value.accountId : value.name) : undefined;
  if (id === null) return null;
  const user = typeof id === 'string' ? store.userBy(id) : undefined;
  if (user === undefined) throw fieldError('assignee', `User '${String(id)}' does not exist.`);
  if (!user.assignable) throw fieldError('assignee', `User '${String(id)}' cannot be assigned issues.`);
  return user;
}
