import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseSearch,
  projectOfChart,
  SEARCH_DEFAULTS,
  type SimilaritySearch,
  serializeSearch,
  withFilters,
  withoutFilters,
} from './pair-search.ts';

const PAIR = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

function parse(text: string): SimilaritySearch {
  return parseSearch(new URLSearchParams(text));
}

describe('parseSearch', () => {
  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=100001',
    'page=one',
    'status=closedish',
    'status=',
    'resolution=merged',
    'scope=everything',
    'selectedPair=12',
    'selectedPair=',
    'dismissed=yes',
    'projects=',
    'projects=,,',
    'projects=xyz,12345',
    'projects=0123456789abcdef',
    `query=${'a'.repeat(201)}`,
    'unknown=1',
  ])('falls back to the defaults on an invalid value: %s', (text) => {
    expect(parse(text)).toEqual(SEARCH_DEFAULTS);
  });

  test('parses every URL parameter', () => {
    expect(
      parse(
        `page=3&status=all&resolution=resolved&projects=0a1b2c3d,ffffffff&scope=project&query=+sync+&selectedPair=${PAIR}&dismissed=true&probability=0.72`,
      ),
    ).toEqual({
      page: 3,
      status: 'all',
      resolution: 'resolved',
      probability: 0.72,
      projects: ['0a1b2c3d', 'ffffffff'],
      scope: 'project',
      query: 'sync',
      selectedPair: PAIR,
      dismissed: true,
    });
  });

  test('keeps valid project segments, in lower case and without duplicates', () => {
    expect(parse('projects=0A1B2C3D, nope ,0a1b2c3d,ffffffff').projects).toEqual(['0a1b2c3d', 'ffffffff']);
  });

  test('replaces `opened`, a status of earlier versions, with the default', () => {
    expect(parse('status=opened').status).toBe('to_decide');
  });
});

describe('serializeSearch', () => {
  test('omits defaults from the URL', () => {
    expect(serializeSearch(SEARCH_DEFAULTS).toString()).toBe('');
  });

  test('preserves unrelated URL parameters and replaces those of the search', () => {
    const current = new URLSearchParams('message=Saved&page=4&status=all');
    const written = serializeSearch({ ...SEARCH_DEFAULTS, page: 2 }, current);
    expect(written.toString()).toBe('message=Saved&page=2');
    expect(current.get('page')).toBe('4');
  });

  test('parses any serialized search back unchanged', () => {
    const segment = fc.stringMatching(/^[0-9a-f]{8}$/);
    const searches = fc.record<SimilaritySearch>({
      page: fc.integer({ min: 1, max: 100_000 }),
      status: fc.constantFrom('to_decide', 'both_open', 'repeats_closed', 'closed', 'all'),
      resolution: fc.constantFrom('all', 'resolved', 'unresolved'),
      probability: fc.constantFrom(0, 0.1, 0.72, 1),
      projects: fc.uniqueArray(segment, { maxLength: 5 }),
      scope: fc.constantFrom('project', 'account'),
      query: fc.string({ maxLength: 200, unit: 'binary' }).map((text) => text.trim().slice(0, 200).trim()),
      selectedPair: fc.option(fc.uuid({ version: 4 })),
      dismissed: fc.boolean(),
    });
    fc.assert(
      fc.property(searches, (search) => {
        const address = serializeSearch(search).toString();
        const wellFormed = { ...search, query: search.query.toWellFormed() };
        expect(parseSearch(new URLSearchParams(address))).toEqual(wellFormed);
      }),
    );
  });
});

describe('search after a filter change', () => {
  const search = { ...SEARCH_DEFAULTS, page: 7, selectedPair: PAIR, scope: 'project', query: 'x' } as const;

  test('returns to page 1 with the panel closed when a filter changes', () => {
    expect(withFilters(search, { status: 'closed' })).toEqual({
      ...search,
      status: 'closed',
      page: 1,
      selectedPair: null,
    });
  });

  test('keeps the scope on Clear all, because no filter tag shows it', () => {
    expect(withoutFilters(search)).toEqual({ ...SEARCH_DEFAULTS, scope: 'project' });
  });
});

describe('click on a project of the chart', () => {
  const search = parse('probability=0&resolution=all&query=export&dismissed=true');

  test('selects the project and applies the filters of the chart', () => {
    const { resolution, probability, query, dismissed } = SEARCH_DEFAULTS;
    const expected = { projects: ['0123abcd'], resolution, probability, query, dismissed };
    expect(projectOfChart(search, '0123abcd')).toEqual(expected);
  });

  test('deselects the project without changing other filters', () => {
    const chosen = { ...search, projects: ['0123abcd'] };
    expect(projectOfChart(chosen, '0123abcd')).toEqual({ projects: [] });
  });
});
