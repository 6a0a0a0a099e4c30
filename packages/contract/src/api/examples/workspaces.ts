import { auditEvent, auditPage } from '../../audit.ts';
import * as workspaces from '../../workspace.ts';
import { EXAMPLE_TIME, type Example, example, IDS, LATER_EXAMPLE_TIME } from '../example.ts';

const acme = { id: IDS.account, name: 'Acme', role: 'owner', personal: false, members: 12 } as const;
const invited = {
  id: IDS.other,
  kind: 'email',
  role: 'triager',
  email: 'grace@acme.test',
  domain: null,
  uses_left: 1,
  invited_by: 'Ada Lovelace',
  created_at: EXAMPLE_TIME,
  expires_at: LATER_EXAMPLE_TIME,
} as const;
const grace = {
  user_id: IDS.other,
  username: 'grace',
  full_name: 'Grace Hopper',
  email: 'grace@acme.test',
  role: 'maintainer',
  joined_at: EXAMPLE_TIME,
  last_sign_in_at: LATER_EXAMPLE_TIME,
  has_second_factor: true,
  flows: 2,
  api_keys: 1,
} as const;
const roleChanged = {
  id: IDS.other,
  at: EXAMPLE_TIME,
  kind: 'role_changed',
  actor: { type: 'user', id: IDS.user, name: 'Ada Lovelace' },
  address: '203.0.113.7',
  subject: 'Grace Hopper',
  details: { from: 'triager', to: 'maintainer' },
} as const;

export const WORKSPACE_EXAMPLES: readonly Example[] = [
  example(workspaces.workspace, acme),
  example(workspaces.workspaceSettings, { ...acme, four_eyes: true, require_second_factor: false }),
  example(workspaces.workspaceCreate, { name: 'Acme' }),
  example(workspaces.workspacePatch, { four_eyes: true }),
  example(workspaces.workspaceDeletion, { name: 'Acme', current_password: 'correct horse battery' }),
  example(workspaces.member, grace),
  example(workspaces.memberPage, { members: [grace], total: 1 }),
  example(workspaces.memberPatch, { role: 'admin' }),
  example(workspaces.memberRemoval, { flows_to: IDS.user }),
  example(workspaces.invitation, invited),
  example(workspaces.invitationCreate, { kind: 'email', role: 'triager', email: 'grace@acme.test' }),
  example(workspaces.createdInvitation, {
    ...invited,
    link: 'https://winnow.acme.test/console/join?token=4fQz',
  }),
  example(workspaces.invitationByToken, { token: '4fQz' }),
  example(workspaces.shownInvitation, {
    workspace: 'Acme',
    role: 'triager',
    invited_by: 'Ada Lovelace',
    email: 'grace@acme.test',
    expires_at: LATER_EXAMPLE_TIME,
  }),
  example(workspaces.invitationAccepted, { workspace_id: IDS.account }),
  example(workspaces.joinableWorkspace, { id: IDS.account, name: 'Acme', role: 'viewer' }),
  example(auditEvent, roleChanged),
  example(auditPage, { events: [roleChanged], total: 1 }),
];
