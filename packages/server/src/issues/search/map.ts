import { nameThemes } from '@winnow/analysis/map/theme-names';
import type { StatusFilter } from '@winnow/contract/issue';
import { type IssueMap, isInRegion, type MapRegion } from '@winnow/contract/search';
import { unavailable } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import type { Issues } from '../service.ts';
import { findMapLabels } from './store.ts';

/** The map of an account's issues, on which issues with similar meaning are close to each other. */
export class IssueMaps {
  readonly #db: Db;
  readonly #engine: Engine;
  readonly #issues: Issues;

  constructor(options: { db: Db; engine: Engine; issues: Issues }) {
    this.#db = options.db;
    this.#engine = options.engine;
    this.#issues = options.issues;
  }

  /**
   * Returns the issues of these projects with their positions. Projects are given by id or its
   * first segment. An empty list means all projects.
   * @throws {AppError} `invalid` for an ambiguous project
   * @throws {AppError} `unavailable` while the index is loading
   */
  async draw(
    accountId: string,
    request: { projects: readonly string[]; status: StatusFilter; withVectors: boolean },
  ): Promise<IssueMap> {
    const { projects, status, withVectors } = request;
    const projectIds = projects.length === 0 ? null : await this.#issues.resolveProjects(accountId, projects);
    const map = await readMap(this.#engine, accountId, { projectIds, status, withVectors });
    const labels = await findMapLabels(
      this.#db,
      accountId,
      map.points.map(({ issueId }) => issueId),
    );
    const labelOf = new Map(labels.map((label) => [label.id, label]));
    const named = map.points.flatMap(({ issueId, theme }) => {
      const title = labelOf.get(issueId)?.title;
      return theme < 0 || title === undefined ? [] : [{ theme, title }];
    });
    const themes = await nameThemes(named);
    return {
      data: map.points.flatMap(({ issueId, x, y, theme, vector }) => {
        const label = labelOf.get(issueId);
        if (!label) return [];
        return [
          {
            issue_id: issueId,
            project_id: label.project_id,
            issue_key: label.key,
            issue_title: label.title,
            state: label.state,
            x,
            y,
            cluster_id: theme < 0 ? null : theme,
            ...(vector === undefined ? {} : { vector: base64(vector) }),
          },
        ];
      }),
      clusters: themes.map(({ theme, size, name }) => ({ cluster_id: theme, issues: size, name })),
      missing: map.missing,
      capped_at: map.cappedAt,
    };
  }
}

/**
 * Returns the ids of the issues within a region of the map. If `projectIds` is null, the map shows
 * all projects.
 * @throws {AppError} `unavailable` while the index is loading
 */
export async function findInRegion(
  engine: Engine,
  accountId: string,
  request: { projectIds: readonly string[] | null; status: StatusFilter; region: MapRegion },
): Promise<string[]> {
  const { region, ...filter } = request;
  const { points } = await readMap(engine, accountId, { ...filter, withVectors: false });
  return points.filter((point) => isInRegion(region, point)).map(({ issueId }) => issueId);
}

async function readMap(
  engine: Engine,
  accountId: string,
  request: { projectIds: readonly string[] | null; status: StatusFilter; withVectors: boolean },
) {
  const { projectIds, status, withVectors } = request;
  const map = await engine.call('map', {
    accountId,
    filter: { projectIds: projectIds && [...projectIds], state: status === 'all' ? null : status },
    withVectors,
  });
  if (map === null) throw unavailable('The map is being prepared. Try again in a few seconds.');
  return map;
}

/** Encodes a vector as base64 of little-endian floats. The result is the same on every platform. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
}
