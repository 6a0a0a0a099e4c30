import { type PlacedPoints, placeAmong, placePoints } from '@winnow/analysis/issue-map';
import type { NeighbourPool } from '@winnow/analysis/neighbours';
import type { EngineCalls } from './messages.ts';

/**
 * Maximum issues from which the layout of a map is computed. Other issues are placed between them.
 */
const MAX_LAYOUT_ISSUES = 2_000;
/** Maximum issues that one map shows. */
const MAX_MAP_ISSUES = 10_000;
/**
 * Number of steps per unit to which coordinates are rounded. This is finer than a screen shows, and
 * regions are accepted with the same precision.
 */
const COORDINATE_SCALE = 1e4;

/** An issue that the map may show. */
export interface MappedIssue {
  id: string;
  projectId: string;
}

/** Source of the data from which the map is computed. */
export interface MapSource {
  /**
   * Returns the ids of all issues, regardless of filters. So an issue has the same place on the map
   * under any filter.
   */
  ids: () => string[];
  /** Returns the direction of an issue's vector. Returns null if the issue has no vector. */
  directionOf: (id: string) => Float32Array | null;
  vectorOf: (id: string) => Float32Array | null;
}

interface Arrangement {
  version: string;
  rows: Map<string, number>;
  points: Float32Array[];
  placed: Promise<PlacedPoints>;
  /** Cache of the places of issues that are not part of the layout. */
  others: Map<string, { x: number; y: number; theme: number }>;
  isReady: boolean;
}

/**
 * The map of one account. It is computed at the first call, and cached until the account's issues
 * change.
 */
export class AccountMap {
  readonly #source: MapSource;
  readonly #neighbours: NeighbourPool;
  #arrangement: Arrangement | null = null;

  constructor(source: MapSource, neighbours: NeighbourPool) {
    this.#source = source;
    this.#neighbours = neighbours;
  }

  /**
   * Returns the places of these issues, up to the maximum. `version` identifies the state of the
   * account's issues.
   */
  async draw(
    version: string,
    issues: readonly MappedIssue[],
    withVectors: boolean,
  ): Promise<NonNullable<EngineCalls['map']['answer']>> {
    const known = issues.filter(({ id }) => this.#source.vectorOf(id) !== null);
    const drawn = chooseFairly(known, MAX_MAP_ISSUES);
    const arrangement = this.#arrange(version);
    const placed = await arrangement.placed;
    await this.#placeOthers(drawn, arrangement, placed);
    const points = drawn.flatMap(({ id }) => {
      const row = arrangement.rows.get(id);
      const place =
        row === undefined
          ? arrangement.others.get(id)
          : { x: placed.x[row] ?? 0, y: placed.y[row] ?? 0, theme: placed.themes[row] ?? -1 };
      if (place === undefined) return [];
      const { x, y, theme } = place;
      const vector = withVectors ? this.#source.vectorOf(id) : null;
      return [{ issueId: id, x: rounded(x), y: rounded(y), theme, ...(vector === null ? {} : { vector }) }];
    });
    return {
      points,
      missing: issues.length - known.length,
      cappedAt: known.length > drawn.length ? drawn.length : null,
    };
  }

  async #placeOthers(
    issues: readonly MappedIssue[],
    { rows, points, others }: Arrangement,
    placed: PlacedPoints,
  ): Promise<void> {
    const unknown = issues.flatMap(({ id }) => {
      const direction = rows.has(id) || others.has(id) ? null : this.#source.directionOf(id);
      return direction === null ? [] : [{ id, direction }];
    });
    if (unknown.length === 0) return;
    const directions = unknown.map(({ direction }) => direction);
    const places = await placeAmong(directions, points, placed, this.#neighbours);
    for (const [index, { id }] of unknown.entries()) {
      const place = places[index];
      if (place !== undefined) others.set(id, place);
    }
  }

  /**
   * Returns the layout for this version, or starts to compute it. Uses the issues with the lowest
   * ids: ids are random, so this is a fair sample, and it changes little over time.
   *
   * If a layout is being computed for an earlier version, returns that one. During a sync, each new
   * layout would be outdated immediately.
   */
  #arrange(version: string): Arrangement {
    const last = this.#arrangement;
    if (last !== null && (last.version === version || !last.isReady)) return last;
    const rows = new Map<string, number>();
    const points: Float32Array[] = [];
    for (const id of this.#source.ids().sort()) {
      const direction = this.#source.directionOf(id);
      if (direction === null) continue;
      rows.set(id, points.length);
      points.push(direction);
      if (points.length === MAX_LAYOUT_ISSUES) break;
    }
    const placed = placePoints(points, this.#neighbours);
    const arrangement: Arrangement = { version, rows, points, placed, others: new Map(), isReady: false };
    this.#arrangement = arrangement;
    placed.then(
      () => {
        arrangement.isReady = true;
      },
      () => {
        if (this.#arrangement === arrangement) this.#arrangement = null;
      },
    );
    return arrangement;
  }
}

function rounded(value: number): number {
  return Math.round(value * COORDINATE_SCALE) / COORDINATE_SCALE;
}

/**
 * Chooses at most `most` issues, the same number from each project that has enough. Chooses the
 * issues with the lowest ids: ids are random, so this is a fair sample.
 */
export function chooseFairly(issues: readonly MappedIssue[], most: number): MappedIssue[] {
  if (issues.length <= most) return [...issues];
  const byProject = Map.groupBy(issues, ({ projectId }) => projectId);
  const projects = [...byProject].sort(([a, ofA], [b, ofB]) => ofA.length - ofB.length || (a < b ? -1 : 1));
  const chosen: MappedIssue[] = [];
  for (const [index, [, all]] of projects.entries()) {
    const share = Math.floor((most - chosen.length) / (projects.length - index));
    chosen.push(...all.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, share));
  }
  return chosen;
}
