import { randomUUID } from 'node:crypto';
import {
  FLOW_LIMITS,
  type Flow,
  type FlowCreate,
  type FlowDefinition,
  type FlowPreset,
  type FlowUpdate,
  needsModel,
} from '@winnow/contract/flow';
import { isId } from '@winnow/contract/primitives';
import { expectSignedIn, type SignedIn } from '../accounts/index.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { problemOf, problemsOnSaving } from './definition-problems.ts';
import { accountFactsOf, type Plans, referencesOf } from './flow-references.ts';
import { presentFlow, presentPreset } from './present.ts';
import * as presetStore from './preset-store.ts';
import { SHIPPED_PRESETS } from './presets.ts';
import * as store from './store.ts';
import { mayWriteUnapproved } from './write-permission.ts';

export interface FlowsOptions {
  db: Db;
  now: () => Date;
  /**
   * Throws `forbidden` if the installation requires a confirmed email address and the account has
   * none.
   */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
  /** Tells whether an account may use custom models. */
  plans: Plans;
  /** Returns the default language model of the account; null for the built-in analyst. */
  defaultModelId: (accountId: string) => Promise<string | null>;
}

/** Manages the flows and presets of an account. */
export class Flows {
  readonly #options: FlowsOptions;

  constructor(options: FlowsOptions) {
    this.#options = options;
  }

  /** Lists all flows by name. */
  async list(accountId: string): Promise<Flow[]> {
    const { db, plans } = this.#options;
    const views = await store.listFlows(db, accountId);
    const accountFacts = await accountFactsOf(db, accountId, plans);
    return views.map((view) => presentFlow(view, accountFacts));
  }

  /**
   * Returns a flow.
   * @throws {AppError} `not_found` if the flow does not exist
   */
  async get(accountId: string, flowId: string): Promise<Flow> {
    const { db, plans } = this.#options;
    const view = await store.findView(db, accountId, flowId);
    if (!view) throw notFound();
    return presentFlow(view, await accountFactsOf(db, accountId, plans));
  }

  /**
   * Returns the current definition of a flow, read in the transaction `db`.
   * @throws {AppError} `not_found`
   */
  async definition(accountId: string, flowId: string, db = this.#options.db): Promise<FlowDefinition> {
    const row = await store.findFlow(db, accountId, flowId);
    if (!row) throw notFound();
    return store.definitionOf(row);
  }

  /** Returns the reason why a flow with this definition cannot run at present; null if it can. */
  async problemOf(accountId: string, definition: FlowDefinition): Promise<string | null> {
    const { db, plans } = this.#options;
    return problemOf(definition, await referencesOf(db, accountId, definition, plans));
  }

  /**
   * Stores a flow and, if requested, a preset with the same definition.
   *
   * @throws {AppError} `invalid` for invalid fields; `conflict` above a limit; `forbidden` if the
   * flow may write without approval and a confirmed email address is required
   */
  async create(user: SignedIn, { is_preset, ...definition }: FlowCreate): Promise<Flow> {
    const faults = await this.#problemsOnSaving(this.#options.db, user.accountId, definition);
    if (faults.length > 0) throw invalid(faults);
    return this.#insert(user, definition, is_preset);
  }

  /**
   * Changes the given fields of a flow. A disabled flow may keep existing problems, so that a flow
   * whose tracker was removed can be disabled.
   *
   * @throws {AppError} `not_found` if unknown; `invalid` for invalid fields; `conflict` above the
   * limit of presets; `forbidden` if the flow may write without approval and a confirmed email
   * address is required
   */
  async update(user: SignedIn, flowId: string, { is_preset, ...changes }: FlowUpdate): Promise<Flow> {
    const { db, now } = this.#options;
    const { accountId } = user;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user);
      // Reads the flow after taking the lock. An earlier read could restore permissions that were
      // removed in the meantime, for example because a server moved.
      const before = await this.definition(accountId, flowId, transaction);
      const definition: FlowDefinition = { ...before, ...given };
      // Disabling a flow that could already write requires no confirmed email address.
      if (mayWriteUnapproved(definition) && (definition.is_enabled || !mayWriteUnapproved(before))) {
        await this.#options.expectConfirmedEmail(accountId);
      }
      const known = definition.is_enabled ? [] : await this.#problemsOnSaving(transaction, accountId, before);
      const faults = (await this.#problemsOnSaving(transaction, accountId, definition)).filter(
        ({ path, message }) => !known.some((other) => other.path === path && other.message === message),
      );
      if (faults.length > 0) throw invalid(faults);
      const saved = { definition, userId: user.userId, now: now() };
      if (!(await store.updateFlow(transaction, accountId, flowId, saved))) throw notFound();
      if (is_preset === true) await this.#savePreset(transaction, accountId, definition);
    });
    return this.get(accountId, flowId);
  }

  /**
   * Deletes a flow and its executions.
   * @throws {AppError} `not_found` if unknown
   */
  async delete(accountId: string, flowId: string): Promise<void> {
    if (!(await store.deleteFlow(this.#options.db, accountId, flowId))) throw notFound();
  }

  /** Lists the built-in presets, then the account's custom presets by name. */
  async presets(accountId: string): Promise<FlowPreset[]> {
    const own = await presetStore.listPresets(this.#options.db, accountId);
    return [...SHIPPED_PRESETS, ...own.map(presentPreset)];
  }

  /**
   * Creates a disabled flow from a preset. The flow has no tracker, organization or project. If the
   * preset needs a model, the flow gets the account's default model.
   *
   * @throws {AppError} `not_found` if unknown; `conflict` above the limit of flows; `forbidden` if
   * the flow may write without approval and a confirmed email address is required
   */
  async clone(user: SignedIn, presetId: string): Promise<Flow> {
    const { accountId } = user;
    const preset = await this.#findPreset(accountId, presetId);
    return this.#insert(
      user,
      {
        ...store.storedDefinitionOf(preset),
        name: preset.name,
        trigger_event_type: preset.trigger_event_type,
        is_enabled: false,
        trigger_event_source: null,
        trigger_organization_id: null,
        trigger_project_id: null,
        ai_model_id: needsModel(preset) ? await this.#options.defaultModelId(accountId) : null,
      },
      false,
    );
  }

  /**
   * Deletes a custom preset.
   * @throws {AppError} `forbidden` for a built-in preset; `not_found` if unknown
   */
  async deletePreset(accountId: string, presetId: string): Promise<void> {
    const { account_id, id } = await this.#findPreset(accountId, presetId);
    if (account_id === null) throw forbidden('Built-in presets cannot be removed.');
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

  async #problemsOnSaving(db: Db, accountId: string, definition: FlowDefinition) {
    return problemsOnSaving(definition, await referencesOf(db, accountId, definition, this.#options.plans));
  }

  async #insert(user: SignedIn, definition: FlowDefinition, isPreset: boolean): Promise<Flow> {
    const { db, now } = this.#options;
    const { accountId } = user;
    const flowId = randomUUID();
    if (mayWriteUnapproved(definition)) await this.#options.expectConfirmedEmail(accountId);
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user);
      if ((await store.countFlows(transaction, accountId)) >= FLOW_LIMITS.flows) {
        throw conflict(
          'too_many_flows',
          `An account has at most ${FLOW_LIMITS.flows} flows. Delete one you do not need.`,
        );
      }
      await store.insertFlow(transaction, accountId, flowId, {
        definition,
        ownerId: user.userId,
        now: now(),
      });
      if (isPreset) await this.#savePreset(transaction, accountId, definition);
    });
    return this.get(accountId, flowId);
  }

  /**
   * Stores the definition of a flow as a preset, without tracker, organization and project.
   * Replaces a preset with the same name.
   * @throws {AppError} `conflict` above the limit of presets
   */
  async #savePreset(transaction: Db, accountId: string, definition: FlowDefinition): Promise<void> {
    const { name, trigger_event_type } = definition;
    const definitionToStore = { name, trigger_event_type, ...store.storedDefinitionOf(definition) };
    const others = await presetStore.listPresets(transaction, accountId);
    const previous = others.find((other) => other.definition.name === name);
    if (previous === undefined && others.length >= FLOW_LIMITS.flows) {
      throw conflict(
        'too_many_presets',
        `An account has at most ${FLOW_LIMITS.flows} presets. Remove one you do not need.`,
      );
    }
    await presetStore.savePreset(
      transaction,
      accountId,
      previous?.id ?? randomUUID(),
      definitionToStore,
      this.#options.now(),
    );
  }
}
