import { FILTER_FIELDS, type FilterField, type TriggerFilter } from '@winnow/contract/flow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CpuBudget } from './cpu-budget.ts';
import type { EventFacts } from './facts.ts';
import { FILTERS_MS, prepareFilters, problemOfFilter } from './filters.ts';
import { factsWith } from './testing/facts.ts';
import { HARD_EXPRESSION, hardText } from './testing/hard-search.ts';

const filter = (field: FilterField, op: TriggerFilter['op'], value: string): TriggerFilter => ({
  field,
  op,
  value,
});
const eventPasses = (filters: readonly TriggerFilter[], facts: EventFacts) =>
  prepareFilters(filters).all(facts, new CpuBudget(FILTERS_MS)) === true;

describe('a filter', () => {
  test.each<[FilterField, Parameters<typeof factsWith>[0]]>([
    ['title', { issue: { title: 'wanted' } }],
    ['title', { issue: null, event: { issue_title: 'wanted' } }],
    ['description', { issue: { description: 'wanted' } }],
    ['label', { issue: { labels: ['other', 'wanted'] } }],
    ['author', { issue: { author: 'wanted' } }],
    ['assignee', { issue: { assignees: ['other', 'wanted'] } }],
    ['issue_type', { issue: { issue_type: 'wanted' } }],
    ['priority', { issue: { priority: 'wanted' } }],
    ['actor', { event: { actor: 'wanted' } }],
    ['comment', { event: { details: { comment: 'wanted' } } }],
    ['branch', { event: { details: { branch: 'wanted' } } }],
  ])('check the %s of the event', (field, parts) => {
    const facts = factsWith(parts);
    for (const op of ['is', 'contains', 'matches'] as const) {
      expect([op, eventPasses([filter(field, op, 'Wanted')], facts)]).toEqual([op, true]);
      expect([op, eventPasses([filter(field, op, 'Another')], facts)]).toEqual([op, false]);
    }
    expect(eventPasses([filter(field, 'is_not', 'WANTED')], facts)).toBe(false);
    expect(eventPasses([filter(field, 'is_not', 'another')], facts)).toBe(true);
  });

  test('check the state of an issue', () => {
    const closed = factsWith({ issue: { state: 'closed' } });
    expect(eventPasses([filter('state', 'is', 'closed')], closed)).toBe(true);
    expect(eventPasses([filter('state', 'is', 'opened')], closed)).toBe(false);
  });

  test('on a missing field passes only with “is not”', () => {
    const nothing = factsWith({ issue: null, event: { actor: null, issue_title: null } });
    for (const field of Object.keys(FILTER_FIELDS) as FilterField[]) {
      const passing = (['is', 'is_not', 'contains', 'matches'] as const).filter((op) =>
        eventPasses([filter(field, op, 'x')], nothing),
      );
      expect([field, passing]).toEqual([field, ['is_not']]);
    }
  });

  test('compares letters in normalized Unicode form', () => {
    const facts = factsWith({ issue: { title: 'Caf\u00e9 closes' } });
    for (const op of ['contains', 'matches'] as const)
      expect(eventPasses([filter('title', op, 'cafe\u0301')], facts)).toBe(true);
  });

  test('combines with other filters by “and”, and reports each result', () => {
    const facts = factsWith({ issue: { title: 'Export hangs' } });
    const filters = [filter('title', 'contains', 'export'), filter('author', 'is', 'bob')];
    expect(prepareFilters(filters).each(facts, new CpuBudget(100))).toEqual([true, false]);
    expect(eventPasses(filters, facts)).toBe(false);
    expect(eventPasses([], facts)).toBe(true);
  });

  test('matches a simple reference implementation', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', 'b', 'ß', 'İ', ' ', '%', '\\', '.'),
      maxLength: 4,
    });
    const value = word.filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), value, (labels, wanted) => {
        const facts = factsWith({ issue: { labels } });
        const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
        const has = labels.some((label) => same(label, wanted));
        expect(eventPasses([filter('label', 'is', wanted)], facts)).toBe(has);
        expect(eventPasses([filter('label', 'is_not', wanted)], facts)).toBe(!has);
        expect(eventPasses([filter('label', 'contains', wanted)], facts)).toBe(
          labels.some((label) => label.toLowerCase().split(wanted.toLowerCase()).length > 1),
        );
      }),
    );
  });
});

describe('an expression', () => {
  test.each([
    ['crash|hang', 'It HANGS', true],
    ['^export', 'The export', false],
    ['export.*hangs', 'export\nhangs', true],
    ['v\\d+\\.\\d+', 'since v12.1', true],
    ['[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}', '33333333-3333-4333-8333-333333333333', true],
    ['\\p{Lu}{3,}-\\d{1,6}', 'see PROJ-12', true],
  ])('%s matches with RE2 semantics', (value, title, passes) => {
    expect(eventPasses([filter('title', 'matches', value)], factsWith({ issue: { title } }))).toBe(passes);
  });

  test.each([
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*a){20}b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x?a){60}a{60}c',
  ])('%s, which hangs other engines, terminates', (value) => {
    const facts = factsWith({ issue: { description: `${'a'.repeat(60_000)}!` } });
    expect(problemOfFilter(filter('description', 'matches', value))).toBeNull();
    expect(eventPasses([filter('description', 'matches', value)], facts)).toBe(false);
  });

  describe('that is slow on a text', () => {
    const hard = filter('description', 'matches', HARD_EXPRESSION);
    const easy = filter('description', 'matches', 'b{3}a');
    const facts = factsWith({ issue: { description: hardText() } });

    test('is interrupted after its time limit and does not pass; other filters still report', () => {
      const budget = new CpuBudget(1_000);
      const filters = prepareFilters([hard, easy]);
      expect(filters.each(facts, budget)).toEqual([null, true]);
      expect(filters.all(facts, budget)).toBeNull();
      const none = filter('title', 'is', 'Something else');
      expect(prepareFilters([hard, none]).all(facts, new CpuBudget(1_000))).toBe(false);
      expect(eventPasses([hard], facts)).toBe(false);
    });

    test('is not searched again, so that many events take no more time than one', () => {
      const budget = new CpuBudget(1_000);
      const filters = prepareFilters([hard]);
      filters.all(facts, budget);
      const { spentMs } = budget;
      for (let events = 0; events < 100; events += 1) expect(filters.each(facts, budget)).toEqual([null]);
      expect(budget.spentMs).toBe(spentMs);
    });

    test('is found in a short text', () => {
      const short = factsWith({ issue: { description: `${'a'.repeat(140)}c` } });
      expect(prepareFilters([hard]).each(short, new CpuBudget(1_000))).toEqual([true]);
    });

    test('is not searched if no time is left', () => {
      const none = prepareFilters([easy]);
      expect(none.each(facts, new CpuBudget(0))).toEqual([null]);
      expect(none.each(facts, new CpuBudget(1_000))).toEqual([true]);
    });
  });

  test.each([
    ['\\pL{1000}'.repeat(50)],
    ['((((a{10}){10}){10}){10})'],
    ['(a{1,10}){1,100}'.repeat(31)],
    ['(\\(a[)]{90}){90}'],
    ['[]a]{900}[^]]{900}'],
    [`(${'a?'.repeat(200)}){1000}`],
  ])('with excessive repetition (%#) is refused', (value) => {
    expect(problemOfFilter(filter('title', 'matches', value))).toMatch(/repeats too much|invalid repeat/);
    expect(eventPasses([filter('title', 'matches', value)], factsWith())).toBe(false);
  });

  test.each([
    ['(', 'missing closing )'],
    ['a**', 'nested repetition'],
    ['[z-a]', 'character class range'],
    ['(?=a)', 'Perl syntax'],
    ['(a)\\1', 'escape sequence'],
  ])('%s is refused with a reason', (value, reason) => {
    const problem = problemOfFilter(filter('title', 'matches', value));
    expect(problem).toMatch(/^Invalid RE2 expression: .+\.$/);
    expect(problem).toContain(reason);
    expect(problemOfFilter(filter('title', 'contains', value))).toBeNull();
  });

  test('is accepted or refused for any input, without crashing', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...'()[]{}\\^$.*+?|a1,-:'),
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(typed, (value) => {
        const problem = problemOfFilter(filter('title', 'matches', value));
        const passes = eventPasses(
          [filter('title', 'matches', value)],
          factsWith({ issue: { title: 'a1' } }),
        );
        if (problem !== null) expect(passes).toBe(false);
      }),
    );
  });
});
