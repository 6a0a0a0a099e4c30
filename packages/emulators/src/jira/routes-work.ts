import { isObject } from '../http/json.ts';
import { may } from './access.ts';
import { type Call, integer, issueOf, list, permit, type Reply, type Route, userOf } from './call.ts';
import { readDocument } from './fields-input.ts';
import { fieldError, JiraError } from './jira-error.ts';
import type { Comment, Issue, Transition } from './model.ts';
import { presentComment, presentLink, presentStatus } from './present.ts';

/**
 * Returns the transitions that the caller can perform from the current status of an issue. Empty if
 * the permission is missing.
 */
function transitionsOf(call: Call, issue: Issue): Transition[] {
  if (!may(call.user, issue.project, 'TRANSITION_ISSUES')) return [];
  return issue.project.transitions.filter(
    ({ from }) => from === undefined || from.includes(issue.status.name),
  );
}

function presentTransition(call: Call, transition: Transition, withFields: boolean) {
  const { id, name, to, from, resolutions = [], fields = [] } = transition;
  const resolution = {
    required: transition.resolutionRequired ?? false,
    schema: { type: 'resolution', system: 'resolution' },
    name: 'Resolution',
    key: 'resolution',
    operations: ['set'],
    allowedValues: resolutions.map((value) => call.store.resolution(value)),
  };
  const others = fields.map((field) => [
    field.key,
    {
      required: field.required,
      hasDefaultValue: field.hasDefault ?? false,
      schema: { type: 'string', customId: 10_001 },
      name: field.name,
      key: field.key,
      operations: ['set'],
    },
  ]);
  const onScreen = { ...(resolutions.length > 0 ? { resolution } : {}), ...Object.fromEntries(others) };
  return {
    id,
    name,
    to: presentStatus(call.view, to),
    ...(call.store.isCloud
      ? {
          hasScreen: Object.keys(onScreen).length > 0,
          isGlobal: from === undefined,
          isInitial: false,
          isConditional: false,
        }
      : {}),
    ...(withFields ? { fields: onScreen } : {}),
  };
}

function getTransitions(call: Call): Reply {
  const issue = issueOf(call);
  const withFields = (list(call.query, 'expand') ?? []).includes('transitions.fields');
  const transitions = transitionsOf(call, issue).map((transition) =>
    presentTransition(call, transition, withFields),
  );
  return { status: 200, body: { expand: 'transitions', transitions } };
}

function doTransition(call: Call): Reply {
  const { body } = call;
  const issue = issueOf(call);
  const wanted = isObject(body.transition) ? String(body.transition.id) : '';
  const transition = transitionsOf(call, issue).find(({ id }) => id === wanted);
  if (transition === undefined) {
    throw new JiraError(400, ['It seems that you have tried to perform an illegal workflow operation.']);
  }
  const fields = isObject(body.fields) ? body.fields : {};
  const { resolutions = [], fields: others = [] } = transition;
  const given = isObject(fields.resolution) ? fields.resolution : null;
  const resolution = resolutions.find(
    (name) => name === given?.name || call.store.resolution(name).id === given?.id,
  );
  if (given !== null && resolutions.length === 0) {
    throw fieldError(
      'resolution',
      "Field 'resolution' cannot be set. It is not on the appropriate screen, or unknown.",
    );
  }
  if (given !== null && resolution === undefined) throw fieldError('resolution', 'Resolution is invalid.');
  if (transition.resolutionRequired && given === null)
    throw fieldError('resolution', 'Resolution is required.');
  for (const field of others) {
    if (field.required && !field.hasDefault && fields[field.key] === undefined) {
      throw fieldError(field.key, `${field.name} is required.`);
    }
  }
  call.changes.transition(issue, userOf(call), transition, resolution ?? null);
  return { status: 204 };
}

function getComments(call: Call): Reply {
  const { query, view } = call;
  const issue = issueOf(call);
  const startAt = integer(query, 'startAt', 0);
  const maxResults = Math.min(
    call.store.isCloud ? 100 : 1_000_000,
    integer(query, 'maxResults', call.store.isCloud ? 100 : 1_000_000),
  );
  const withProperties = (list(query, 'expand') ?? []).includes('properties');
  const ordered = /^-/.test(query.get('orderBy') ?? '') ? issue.comments.toReversed() : issue.comments;
  const comments = ordered
    .slice(startAt, startAt + maxResults)
    .map((comment) => presentComment(view, issue, comment, withProperties));
  return { status: 200, body: { startAt, maxResults, total: issue.comments.length, comments } };
}

function addComment(call: Call): Reply {
  const { body, store, view } = call;
  const issue = issueOf(call);
  const user = permit(
    call,
    issue.project,
    'ADD_COMMENTS',
    400,
    `${call.user?.displayName}, you do not have the permission to comment on this issue.`,
  );
  const text = readDocument(store, 'comment', body.body ?? (store.isCloud ? null : ''));
  if (text === null || text === '') throw fieldError('comment', 'Comment body can not be empty!');
  const properties = (Array.isArray(body.properties) ? body.properties : []).filter(isObject);
  const given = Object.fromEntries(properties.map(({ key, value }) => [String(key), value]));
  const comment = call.changes.comment(issue, user, text, given);
  return { status: 201, body: presentComment(view, issue, comment, true) };
}

function commentOf(call: Call, issue: Issue): Comment {
  const comment = issue.comments.find(({ id }) => id === call.params.comment);
  if (comment !== undefined) return comment;
  throw new JiraError(404, [`Can not find a comment for the id: ${call.params.comment}.`]);
}

function deleteComment(call: Call): Reply {
  const issue = issueOf(call);
  const comment = commentOf(call, issue);
  const message = `You do not have permission to delete comment with id: ${comment.id}`;
  const user = permit(call, issue.project, 'DELETE_OWN_COMMENTS', 400, message);
  if (comment.author !== user) throw new JiraError(400, [message]);
  call.changes.deleteComment(issue, user, comment);
  return { status: 204 };
}

function linkedIssue(call: Call, value: unknown): Issue {
  const named = isObject(value) ? (value.id ?? value.key) : undefined;
  return issueOf(call, typeof named === 'string' ? named : '');
}

function addLink(call: Call): Reply {
  const { body, store } = call;
  const source = linkedIssue(call, body.inwardIssue);
  const target = linkedIssue(call, body.outwardIssue);
  const wanted = isObject(body.type) ? body.type : {};
  const type = store.linkTypes.find(({ id, name }) => id === wanted.id || name === wanted.name);
  if (type === undefined)
    throw new JiraError(404, [`No issue link type with name '${String(wanted.name)}' found.`]);
  for (const issue of [source, target]) {
    permit(
      call,
      issue.project,
      'LINK_ISSUES',
      401,
      `No Link Issue Permission for issue '${issue.project.key}-${issue.number}'`,
    );
  }
  call.changes.link(type, source, target, userOf(call));
  return { status: 201 };
}

function linkOf(call: Call) {
  const link = call.store.links.get(call.params.link ?? '');
  if (link !== undefined) return link;
  throw new JiraError(404, [`No issue link with id '${call.params.link}' exists.`]);
}

function deleteLink(call: Call): Reply {
  const link = linkOf(call);
  const message = `No Link Issue Permission for issue '${link.source.project.key}-${link.source.number}'`;
  call.changes.unlink(link, permit(call, link.source.project, 'LINK_ISSUES', 401, message));
  return { status: 204 };
}

export const workRoutes: Route[] = [
  { method: 'GET', path: '/issue/:issue/transitions', handle: getTransitions },
  { method: 'POST', path: '/issue/:issue/transitions', handle: doTransition },
  { method: 'GET', path: '/issue/:issue/comment', handle: getComments },
  { method: 'POST', path: '/issue/:issue/comment', handle: addComment },
  {
    method: 'GET',
    path: '/issue/:issue/comment/:comment',
    handle: (call) => {
      const issue = issueOf(call);
      return { status: 200, body: presentComment(call.view, issue, commentOf(call, issue), false) };
    },
  },
  { method: 'DELETE', path: '/issue/:issue/comment/:comment', handle: deleteComment },
  { method: 'POST', path: '/issueLink', handle: addLink },
  {
    method: 'GET',
    path: '/issueLink/:link',
    handle: (call) => {
      const link = linkOf(call);
      return { status: 200, body: presentLink(call.view, link, link.source) };
    },
  },
  { method: 'DELETE', path: '/issueLink/:link', handle: deleteLink },
];
