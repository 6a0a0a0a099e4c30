import { describe, expect, test } from 'vitest';
import { TrackerError } from '../provider.ts';
import { planClosing, planReopening, type WireTransition } from './transitions.ts';

const status = (id: string, name: string, key: string) => ({ id, name, statusCategory: { key } });
const done = status('5', 'Done', 'done');
const open = status('1', 'To Do', 'new');
const to = (
  id: string,
  name: string,
  target = done,
  fields: WireTransition['fields'] = null,
): WireTransition => {
  return { id, name, to: target, fields };
};
const resolution = (names: string[], required = false) => {
  return { resolution: { name: 'Resolution', required, allowedValues: names.map((name) => ({ name })) } };
};

describe('closing an issue as a duplicate', () => {
  test.each<[string, WireTransition[], string, string | null]>([
    ['by the only way', [to('1', 'Start', open), to('2', 'Done')], '2', null],
    ['by the way that is called so', [to('1', 'Done'), to('2', 'Mark as duplicate')], '2', null],
    [
      'into the status that is called so',
      [to('1', 'Done'), to('2', 'Close', status('9', 'Duplicate', 'done'))],
      '2',
      null,
    ],
    [
      'with the resolution Duplicate',
      [to('1', 'Done'), to('2', 'Resolve', done, resolution(['Fixed', 'Duplicate']))],
      '2',
      'Duplicate',
    ],
    [
      'with what comes next to it',
      [to('2', 'Resolve', done, resolution(['Fixed', "Won't Do"]))],
      '2',
      "Won't Do",
    ],
    [
      'without a resolution where none fits and none is asked for',
      [to('2', 'Resolve', done, resolution(['Fixed']))],
      '2',
      null,
    ],
    [
      'with any resolution where one is asked for',
      [to('2', 'Resolve', done, resolution(['Fixed'], true))],
      '2',
      'Fixed',
    ],
    [
      'past a screen that cannot be filled',
      [to('1', 'Duplicate', done, { cf: { name: 'Team', required: true } }), to('2', 'Done')],
      '2',
      null,
    ],
    [
      'past a required field with a default',
      [to('1', 'Done', done, { cf: { name: 'Team', required: true, hasDefaultValue: true } })],
      '1',
      null,
    ],
  ])('%s', (_, transitions, id, name) => {
    const plan = planClosing('WIN-1', transitions, 'duplicate');
    expect(plan.transition.id).toBe(id);
    expect(plan.fields?.resolution.name ?? null).toBe(name);
  });

  test.each<[string, WireTransition[], string]>([
    [
      'no transition leads to done',
      [to('1', 'Start', open)],
      'no transition from the current status of WIN-1',
    ],
    ['there are no transitions', [], 'no transition from the current status of WIN-1'],
    [
      'every screen asks for more',
      [to('1', 'Done', done, { cf: { name: 'Root cause', required: true } })],
      'requires Root cause to move WIN-1 to “Done”',
    ],
  ])('but not when %s', (_, transitions, words) => {
    const plan = () => planClosing('WIN-1', transitions, 'duplicate');
    expect(plan).toThrow(TrackerError);
    expect(plan).toThrow(words);
  });

  test('closing without an original does not use a duplicate resolution', () => {
    const ways = [
      to('1', 'Duplicate', status('9', 'Duplicate', 'done')),
      to('2', 'Resolve', done, resolution(['Duplicate', "Won't Fix"])),
    ];
    expect(planClosing('WIN-1', ways, 'not_planned')).toEqual({
      transition: { id: '2' },
      fields: { resolution: { name: "Won't Fix" } },
    });
  });
});

describe('reopening an issue', () => {
  const progress = status('3', 'In Progress', 'indeterminate');
  const reopened = status('4', 'Reopened', 'new');
  test.each<[string, WireTransition[], string | null, string]>([
    ['to where it was', [to('1', 'To Do', open), to('2', 'Start', progress)], '3', '2'],
    ['by the way that is called so', [to('1', 'To Do', open), to('2', 'Reopen issue', reopened)], '3', '2'],
    ['to what is not begun', [to('1', 'Start', progress), to('2', 'Backlog', open)], null, '2'],
    ['to whatever is open', [to('1', 'Done'), to('2', 'Start', progress)], null, '2'],
  ])('%s', (_, transitions, before, id) => {
    expect(planReopening('WIN-1', transitions, before)).toEqual({ transition: { id } });
  });

  test('fails without a transition back', () => {
    expect(() => planReopening('WIN-1', [to('1', 'Close')], null)).toThrow(
      'no transition from the current status of WIN-1 back',
    );
  });
});
