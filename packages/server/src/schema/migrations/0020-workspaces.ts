import { type Kysely, sql } from 'kysely';

/**
 * Makes each account a workspace with members. A user keeps an own account, the home: it has the
 * sessions, devices and factors. A user moves to another home when the old one gets new owners, so
 * the keys of these tables follow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table account
      add column name text,
      add column four_eyes boolean not null default false,
      add column require_second_factor boolean not null default false;

    create table member (
      account_id uuid not null references account on delete cascade,
      user_id uuid not null references app_user (id) on delete cascade,
      role text not null check (role in ('viewer', 'triager', 'maintainer', 'admin', 'owner')),
      joined_at timestamptz not null default now(),
      primary key (account_id, user_id)
    );
    create index member_user on member (user_id);
    create index member_joined on member (account_id, joined_at, user_id);
    create index member_owner on member (account_id) where role = 'owner';
    insert into member (account_id, user_id, role, joined_at)
    select account_id, id, 'owner', created_at from app_user;

    -- Users who were removed. They join again only by an invitation to their address.
    create table removed_member (
      account_id uuid not null references account on delete cascade,
      user_id uuid not null references app_user (id) on delete cascade,
      removed_at timestamptz not null,
      primary key (account_id, user_id)
    );
    create index removed_member_user on removed_member (user_id);

    create table invitation (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      kind text not null check (kind in ('email', 'link', 'domain')),
      role text not null check (role in ('viewer', 'triager', 'maintainer', 'admin')),
      email text,
      domain text,
      token_hash bytea unique,
      uses_left integer check (uses_left >= 0),
      invited_by uuid references app_user (id) on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz,
      primary key (account_id, id),
      check ((kind = 'domain') = (token_hash is null))
    );
    create unique index invitation_email on invitation (account_id, lower(email));
    create unique index invitation_domain on invitation (account_id, domain);
    create index invitation_of_domain on invitation (domain);
    create index invitation_inviter on invitation (invited_by);

    create table audit_event (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      at timestamptz not null,
      kind text not null,
      actor_type text not null check (actor_type in ('user', 'api_key', 'flow', 'operator', 'system')),
      actor_id uuid,
      actor_name text not null,
      address text,
      subject text,
      details jsonb not null default '{}',
      primary key (account_id, id)
    );
    create index audit_event_newest on audit_event (account_id, at desc, id);
    create index audit_event_at on audit_event (at);

    -- The user who proposed or made the change, also by a key or a flow.
    alter table change add column person_id uuid;
    update change set person_id = actor_id where actor_type = 'user';
    update change set person_id = api_key.user_id from api_key
    where change.actor_type = 'api_key' and api_key.account_id = change.account_id and api_key.id = change.actor_id;

    -- User who started the execution; null if an event or a schedule did.
    alter table flow_execution add column started_by uuid;

    alter table flow add column owner_id uuid references app_user (id) on delete set null;
    create index flow_owner on flow (account_id, owner_id);
    create index flow_owner_user on flow (owner_id);
    update flow set owner_id = app_user.id from app_user where app_user.account_id = flow.account_id;

    alter table session drop constraint session_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references app_user on update cascade on delete cascade;
    alter table refresh_token drop constraint refresh_token_account_id_session_id_fkey,
      add foreign key (account_id, session_id) references session on update cascade on delete cascade;
    alter table one_time_token drop constraint one_time_token_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references app_user on update cascade on delete cascade;
    alter table device drop constraint device_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references app_user on update cascade on delete cascade;
    alter table authenticator drop constraint authenticator_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references app_user on update cascade on delete cascade;
    alter table recovery_code drop constraint recovery_code_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references app_user on update cascade on delete cascade;
    alter table api_key drop constraint api_key_account_id_user_id_fkey,
      add foreign key (account_id, user_id) references member on delete cascade;
    create index api_key_owner on api_key (account_id, user_id);
  `.execute(db);
}
