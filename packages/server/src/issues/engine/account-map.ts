import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PlacedPoints, placeAmong, placePoints } from '@winnow/analysis/issue-map';
import type { NeighbourPool } from '@winnow/analysis/neighbours';
import type { EngineCalls } from './messages.ts';

/** Issues whose arrangement makes the map; all others are placed among them. */
const MOST_ARRANGED = 2_000;
/** Issues on one answered map. */
export const MOST_DRAWN = 2_000;
/** After so many issues other work of the thread has its turn. */
const PLACED_PER_TURN = 25;

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
    const known = issues.filter(({ id }) => this.#source.directionOf(id) !== null);
    const drawn = chooseFairly(known, MOST_DRAWN);
    const arrangement = this.#arrange(version);
    const placed = await arrangement.placed;
    const points: NonNullable<EngineCalls['map']['answer']>['points'] = [];
    for (const [index, { id }] of drawn.entries()) {
      const place = this.#placeOf(id, arrangement, placed);
      const vector = withVectors ? this.#source.vectorOf(id) : null;
      if (place !== null) points.push({ issueId: id, ...place, ...(vector === null ? {} : { vector }) });
      if (index % PLACED_PER_TURN === 0) await nextTurn();
    }
    return {
      points,
      missing: issues.length - known.length,
      cappedAt: known.length > drawn.length ? drawn.length : null,
    };
  }

  #placeOf(id: string, { rows, points, others }: Arrangement, placed: PlacedPoints) {
    const row = rows.get(id);
    if (row !== undefined) {
      return { x: placed.x[row] ?? 0, y: placed.y[row] ?? 0, theme: placed.themes[row] ?? -1 };
    }
    const direction = this.#source.directionOf(id);
    if (direction === null) return null;
    const place = others.get(id) ?? placeAmong(direction, points, placed);
    others.set(id, place);
    return place;
  }

  /** Ids are random, so the lowest are a fair choice, and mostly the same after the account has changed. */
  #arrange(version: string): Arrangement {
    if (this.#arrangement?.version === version) return this.#arrangement;
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
    const arrangement = { version, rows, points, placed, others: new Map() };
    this.#arrangement = arrangement;
    placed.catch(() => {
      if (this.#arrangement === arrangement) this.#arrangement = null;
    });
    return arrangement;
  }
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
