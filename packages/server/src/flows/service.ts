import { randomUUID } from 'node:crypto';
import {
  FLOW_LIMITS,
  type Flow,
  type FlowCreate,
  type FlowDefinition,
  type FlowPreset,
  type FlowUpdate,
} from '@winnow/contract/flow';
import { isId } from '@winnow/contract/primitives';
import { expectSignedIn, type SignedIn } from '../accounts/signed-in.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { faultsOnSaving, problemOf } from './faults.ts';
import { type Plans, placesOf, surroundingsOf } from './places.ts';
import { presentFlow, presentPreset } from './present.ts';
import * as presetStore from './preset-store.ts';
import { SHIPPED_PRESETS } from './presets.ts';
import * as store from './store.ts';
import { writesUnapproved } from './writes.ts';

export interface FlowsOptions {
  db: Db;
  now: () => Date;
  /** Throws 403 where a confirmed email address is required and the account has none. */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
  /** Whether an account's own models may work for it. */
  plans: Plans;
  /** The language model that works for the account; null when the built-in analyst does. */
  defaultModelId: (accountId: string) => Promise<string | null>;
}

/** What the flows of an account do, and the presets that they begin with. */
export class Flows {
  readonly #options: FlowsOptions;

  constructor(options: FlowsOptions) {
    this.#options = options;
  }

  /** All flows, by name. */
  async list(accountId: string): Promise<Flow[]> {
    const { db, plans } = this.#options;
    const views = await store.listFlows(db, accountId);
    const surroundings = await surroundingsOf(db, accountId, plans);
    return views.map((view) => presentFlow(view, surroundings));
  }

  /** 404 when there is none. */
  async get(accountId: string, flowId: string): Promise<Flow> {
    const { db, plans } = this.#options;
    const view = await store.findView(db, accountId, flowId);
    if (!view) throw notFound();
    return presentFlow(view, await surroundingsOf(db, accountId, plans));
  }

  /** What a flow does as it is now, for the transaction that `db` is. 404 when there is none. */
  async definition(accountId: string, flowId: string, db = this.#options.db): Promise<FlowDefinition> {
    const row = await store.findFlow(db, accountId, flowId);
    if (!row) throw notFound();
    return store.definitionOf(row);
  }

  /** Why a flow that does this cannot be run as things stand, in a sentence; null when it can. */
  async problemOf(accountId: string, definition: FlowDefinition): Promise<string | null> {
    const { db, plans } = this.#options;
    return problemOf(definition, await placesOf(db, accountId, definition, plans));
  }

  /**
   * Stores a flow, and a preset of it where that is asked for. 422 at the fields that do not hold, 409 when there are too many,
   * 403 for a flow that writes where the email address has to be confirmed first.
   */
  async create(user: SignedIn, { is_preset, ...definition }: FlowCreate): Promise<Flow> {
    const faults = await this.#faultsOnSaving(this.#options.db, user.accountId, definition);
    if (faults.length > 0) throw invalid(faults);
    return this.#insert(user, definition, is_preset);
  }

  /**
   * Changes what is given. 404, 422 at the fields that do not hold. What was wrong before does not count in a flow that is
   * switched off, so that one whose tracker was removed can be.
   */
  async update(user: SignedIn, flowId: string, { is_preset, ...changes }: FlowUpdate): Promise<Flow> {
    const { db, now } = this.#options;
    const { accountId } = user;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user);
      // Read behind the lock: what was taken from the flow meanwhile, as with a server that moved, is not put back.
      const before = await this.definition(accountId, flowId, transaction);
      const definition: FlowDefinition = { ...before, ...given };
      // A flow that writes can always be switched off.
      if (writesUnapproved(definition) && (definition.is_enabled || !writesUnapproved(before))) {
        await this.#options.expectConfirmedEmail(accountId);
      }
      const known = definition.is_enabled ? [] : await this.#faultsOnSaving(transaction, accountId, before);
      const faults = (await this.#faultsOnSaving(transaction, accountId, definition)).filter(
        ({ path, message }) => !known.some((other) => other.path === path && other.message === message),
      );
      if (faults.length > 0) throw invalid(faults);
      if (!(await store.updateFlow(transaction, accountId, flowId, definition, now()))) throw notFound();
      if (is_preset === true) await this.#savePreset(transaction, accountId, definition);
    });
    return this.get(accountId, flowId);
  }

  /** Removes a flow with the record of its executions. 404 when there is none. */
  async delete(accountId: string, flowId: string): Promise<void> {
    if (!(await store.deleteFlow(this.#options.db, accountId, flowId))) throw notFound();
  }

  /** What flows can begin with: the presets that ship, then the account's own by name. */
  async presets(accountId: string): Promise<FlowPreset[]> {
    const own = await presetStore.listPresets(this.#options.db, accountId);
    return [...SHIPPED_PRESETS, ...own.map(presentPreset)];
  }

  /**
   * Makes a flow of a preset. It is disabled, and bound to no place yet; what a model is to do is given to the account's
   * own, if it has one. 404 when there is no such preset, 409 when there are too many flows.
   */
  async clone(user: SignedIn, presetId: string): Promise<Flow> {
    const { accountId } = user;
    const preset = await this.#findPreset(accountId, presetId);
    const needsModel = preset.builtin_actions.length === 0;
    return this.#insert(
      user,
      {
        ...store.restOf(preset),
        name: preset.name,
        trigger_event_type: preset.trigger_event_type,
        is_enabled: false,
        trigger_event_source: null,
        trigger_organization_id: null,
        trigger_project_id: null,
        ai_model_id: needsModel ? await this.#options.defaultModelId(accountId) : null,
      },
      false,
    );
  }

  /** Removes a preset of the account. 403 for one that ships, 404 when there is none. */
  async deletePreset(accountId: string, presetId: string): Promise<void> {
    const { account_id, id } = await this.#findPreset(accountId, presetId);
    if (account_id === null) throw forbidden('This preset comes with Winnow and cannot be removed.');
    if (!(await presetStore.deletePreset(this.#options.db, accountId, id))) throw notFound();
  }

  async #findPreset(accountId: string, presetId: string): Promise<FlowPreset> {
    const shipped = SHIPPED_PRESETS.find(({ id }) => id === presetId);
    if (shipped) return shipped;
    const own = isId(presetId)
      ? await presetStore.findPreset(this.#options.db, accountId, presetId)
      : undefined;
    if (!own) throw notFound();
    return presentPreset(own);
  }

  async #faultsOnSaving(db: Db, accountId: string, definition: FlowDefinition) {
    return faultsOnSaving(definition, await placesOf(db, accountId, definition, this.#options.plans));
  }

  async #insert(user: SignedIn, definition: FlowDefinition, isPreset: boolean): Promise<Flow> {
    const { db, now } = this.#options;
    const { accountId } = user;
    const flowId = randomUUID();
    if (writesUnapproved(definition)) await this.#options.expectConfirmedEmail(accountId);
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user);
      if ((await store.countFlows(transaction, accountId)) >= FLOW_LIMITS.flows) {
        throw conflict(
          'too_many_flows',
          `An account has at most ${FLOW_LIMITS.flows} flows. Delete one that is not needed any more.`,
        );
      }
      await store.insertFlow(transaction, accountId, flowId, definition, now());
      if (isPreset) await this.#savePreset(transaction, accountId, definition);
    });
    return this.get(accountId, flowId);
  }

  /** Keeps what a flow does, without what belongs to one place. One of the same name is replaced. */
  async #savePreset(transaction: Db, accountId: string, definition: FlowDefinition): Promise<void> {
    const { name, trigger_event_type } = definition;
    const kept = { name, trigger_event_type, ...store.restOf(definition) };
    const others = await presetStore.listPresets(transaction, accountId);
    const former = others.find((other) => other.definition.name === name);
    if (former === undefined && others.length >= FLOW_LIMITS.flows) {
      throw conflict(
        'too_many_presets',
        `An account has at most ${FLOW_LIMITS.flows} presets. Remove one that is not needed any more.`,
      );
    }
    await presetStore.savePreset(
      transaction,
      accountId,
      former?.id ?? randomUUID(),
      kept,
      this.#options.now(),
    );
  }
}
