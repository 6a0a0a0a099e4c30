import { type PlacedPoints, placeAmong, placePoints } from '@winnow/analysis/issue-map';
import type { NeighbourPool } from '@winnow/analysis/neighbours';
import type { EngineCalls } from './messages.ts';

/** Issues whose arrangement makes the map; all others are placed among them. */
const MOST_ARRANGED = 2_000;
/** Issues on one answered map. */
export const MOST_DRAWN = 10_000;
/** More digits than any screen shows, and as many as a region may have. */
const DIGITS = 1e4;

/** An issue that may be drawn. */
export interface MappedIssue {
  id: string;
  projectId: string;
}

/** What the map is made of. */
export interface MapSource {
  /** All issues, whatever is asked for: an issue stays where it is when another project is left out. */
  ids: () => string[];
  /** The direction in which an issue lies; null when it has no vector. */
  directionOf: (id: string) => Float32Array | null;
  vectorOf: (id: string) => Float32Array | null;
}

interface Arrangement {
  version: string;
  rows: Map<string, number>;
  points: Float32Array[];
  placed: Promise<PlacedPoints>;
  /** Where issues lie that are not arranged, as far as somebody asked. */
  others: Map<string, { x: number; y: number; theme: number }>;
  isReady: boolean;
}

/** The map of one account: made when it is asked for, and kept until the account changes. */
export class AccountMap {
  readonly #source: MapSource;
  readonly #neighbours: NeighbourPool;
  #arrangement: Arrangement | null = null;

  constructor(source: MapSource, neighbours: NeighbourPool) {
    this.#source = source;
    this.#neighbours = neighbours;
  }

  /** The places of these issues, of as many as are drawn. `version` says of which state of the account. */
  async draw(
    version: string,
    issues: readonly MappedIssue[],
    withVectors: boolean,
  ): Promise<NonNullable<EngineCalls['map']['answer']>> {
    const known = issues.filter(({ id }) => this.#source.vectorOf(id) !== null);
    const drawn = chooseFairly(known, MOST_DRAWN);
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
   * Ids are random, so the lowest are a fair choice, and mostly the same after the account has changed. While one
   * arrangement is being made no other is begun: in an account that is being read each would be late at once.
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
      if (points.length === MOST_ARRANGED) break;
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
  return Math.round(value * DIGITS) / DIGITS;
}

/**
 * At most so many issues, of every project as many as of any other as far as it has them; within a project those with the
 * lowest ids, which are random.
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
