import { canRead, canSetMetadata } from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { findLink, linkIssues } from './changes.ts';
import { GitLabError, notFound } from './gitlab-error.ts';
import { callerOf, itemOf, placeOf, viewOf, visibleItem, visibleProject } from './lookup.ts';
import { otherEnd, presentLink, presentRelated } from './present.ts';

const path = '/projects/:id/issues/:iid/links';

/** Routes for links between issues. */
export const linkRoutes: readonly Route[] = [
  { method: 'GET', path, handle: listLinks },
  { method: 'POST', path, handle: createLink },
  { method: 'DELETE', path: `${path}/:linkId`, handle: removeLink },
];

/** Lists all links of an issue. GitLab does not divide this list into pages. */
function listLinks(call: Call): Reply {
  const item = itemOf(call, 'issue');
  const links = call.host.store.links.filter(
    (link) =>
      (link.source === item || link.target === item) && canRead(call.access.user, otherEnd(link, item)),
  );
  return { status: 200, body: links.map((link) => presentRelated(viewOf(call), link, item)) };
}

function createLink(call: Call): Reply {
  const { params, host, access } = call;
  const projectId = params.requiredText('target_project_id');
  const iid = Number(params.requiredText('target_issue_iid'));
  const types = ['relates_to', 'blocks', 'is_blocked_by'] as const;
  const type = params.choice('link_type', host.tier === 'core' ? ['relates_to'] : types) ?? 'relates_to';
  const source = itemOf(call, 'issue');
  const by = callerOf(call);
  const target = visibleItem(call, visibleProject(call, projectId), 'issue', iid);
  if (type !== 'relates_to' && host.tier === 'free') {
    throw new GitLabError(403, { message: 'Blocked issues not available for current license' });
  }
  if (findLink(host, source, target)) throw new GitLabError(409, { message: 'Issue(s) already assigned' });
  if (!canSetMetadata(access.user, source) || !canSetMetadata(access.user, target)) {
    const message = "Couldn't link issue. You must have at least the Reporter role in both projects.";
    throw new GitLabError(403, { message });
  }
  if (source === target) throw new GitLabError(422, { message: 'cannot be related to itself' });
  const isBlockedBy = type === 'is_blocked_by';
  const [from, to] = isBlockedBy ? [target, source] : [source, target];
  const link = linkIssues(placeOf(call), from, to, type === 'relates_to' ? 'relates_to' : 'blocks', by);
  return { status: 201, body: presentLink(viewOf(call), link, source) };
}

function removeLink(call: Call): Reply {
  const item = itemOf(call, 'issue');
  const { store } = call.host;
  const link = store.links.find(
    ({ id, source, target }) => String(id) === call.path.linkId && (source === item || target === item),
  );
  if (!link) throw notFound();
  if (!canSetMetadata(call.access.user, item)) {
    throw new GitLabError(404, { message: 'No Issue Link found' });
  }
  store.links = store.links.filter((entry) => entry !== link);
  return { status: 200, body: presentLink(viewOf(call), link, item) };
}
