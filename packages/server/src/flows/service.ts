import { randomUUID } from 'node:crypto';
import {
  FLOW_LIMITS,
  type Flow,
  type FlowCreate,
  type FlowDefinition,
  type FlowPreset,
  type FlowUpdate,
} from '@winnow/contract/flow';
import { id as uuid } from '@winnow/contract/primitives';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { problemsOf } from './check.ts';
import { placesOf } from './places.ts';
import { presentFlow, presentPreset } from './present.ts';
import * as presetStore from './preset-store.ts';
import { SHIPPED_PRESETS } from './presets.ts';
import { problemOf } from './problems.ts';
import * as store from './store.ts';

export interface FlowsOptions {
  db: Db;
  now: () => Date;
  /** What the account's MCP servers are called. */
  serverNames: (accountId: string) => Promise<readonly string[]>;
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
    const { db, serverNames } = this.#options;
    const [views, servers] = await Promise.all([store.listFlows(db, accountId), serverNames(accountId)]);
    return views.map((view) => presentFlow(view, servers));
  }

  /** 404 when there is none. */
  async get(accountId: string, flowId: string): Promise<Flow> {
    const { db, serverNames } = this.#options;
    const view = await store.findFlow(db, accountId, flowId);
    if (!view) throw notFound();
    return presentFlow(view, await serverNames(accountId));
  }

  /** Why a flow that does this cannot be run as things stand, in a sentence; null when it can. */
  async problemOf(accountId: string, definition: FlowDefinition): Promise<string | null> {
    const { db, serverNames } = this.#options;
    const [places, servers] = await Promise.all([
      placesOf(db, accountId, definition),
      serverNames(accountId),
    ]);
    return problemOf(definition, {
      tracker: places.tracker ?? null,
      hasOrganization: places.organization !== undefined,
      hasProject: places.project !== undefined,
      hasModel: places.hasModel,
      servers,
    });
  }

  /** Stores a flow, and a preset of it where that is asked for. 422 at the fields that do not hold, 409 when there are too many. */
  async create(accountId: string, { is_preset, ...definition }: FlowCreate): Promise<Flow> {
    const problems = await this.#problemsOf(accountId, definition);
    if (problems.length > 0) throw invalid(problems);
    return this.#insert(accountId, definition, is_preset);
  }

  /**
   * Changes what is given. 404, 422 at the fields that do not hold. What was wrong before does not count in a flow that is
   * switched off, so that one whose tracker was removed can be.
   */
  async update(accountId: string, flowId: string, { is_preset, ...changes }: FlowUpdate): Promise<Flow> {
    const { db, now } = this.#options;
    const row = await store.findFlow(db, accountId, flowId);
    if (!row) throw notFound();
    const before = store.definitionOf(row);
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const definition: FlowDefinition = { ...before, ...given };
    const known = definition.is_enabled ? [] : await this.#problemsOf(accountId, before);
    const problems = (await this.#problemsOf(accountId, definition)).filter(
      ({ path, message }) => !known.some((other) => other.path === path && other.message === message),
    );
    if (problems.length > 0) throw invalid(problems);
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
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
  async clone(accountId: string, presetId: string): Promise<Flow> {
    const preset = await this.#findPreset(accountId, presetId);
    const needsModel = preset.builtin_actions.length === 0;
    return this.#insert(
      accountId,
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
    const own = uuid.safeParse(presetId).success
      ? await presetStore.findPreset(this.#options.db, accountId, presetId)
      : undefined;
    if (!own) throw notFound();
    return presentPreset(own);
  }

  async #problemsOf(accountId: string, definition: FlowDefinition) {
    const { db, serverNames } = this.#options;
    const [places, servers] = await Promise.all([
      placesOf(db, accountId, definition),
      serverNames(accountId),
    ]);
    return problemsOf(definition, { places, servers });
  }

  async #insert(accountId: string, definition: FlowDefinition, isPreset: boolean): Promise<Flow> {
    const { db, now } = this.#options;
    const flowId = randomUUID();
    await db.transaction().execute(async (transaction) => {
      await store.lockFlows(transaction, accountId);
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
