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
    ['by the only transition to a done status', [to('1', 'Start', open), to('2', 'Done')], '2', null],
    ['by the transition with a matching name', [to('1', 'Done'), to('2', 'Mark as duplicate')], '2', null],
    [
      'by the transition to a status with a matching name',
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
      'with the closest resolution if none is Duplicate',
      [to('2', 'Resolve', done, resolution(['Fixed', "Won't Do"]))],
      '2',
      "Won't Do",
    ],
    [
      'without a resolution if none matches and none is required',
      [to('2', 'Resolve', done, resolution(['Fixed']))],
      '2',
      null,
    ],
    [
      'with any resolution if one is required',
      [to('2', 'Resolve', done, resolution(['Fixed'], true))],
      '2',
      'Fixed',
    ],
    [
      'by another transition if a screen cannot be filled in',
      [to('1', 'Duplicate', done, { cf: { name: 'Team', required: true } }), to('2', 'Done')],
      '2',
      null,
    ],
    [
      'by a transition whose required field has a default',
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
      'no transition leads to a done status',
      [to('1', 'Start', open)],
      'no transition from the current status of WIN-1',
    ],
    ['there are no transitions', [], 'no transition from the current status of WIN-1'],
    [
      'every screen requires an unsupported field',
      [to('1', 'Done', done, { cf: { name: 'Root cause', required: true } })],
      'requires Root cause to move WIN-1 to “Done”',
    ],
  ])('is refused if %s', (_, transitions, words) => {
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
    ['to the previous status', [to('1', 'To Do', open), to('2', 'Start', progress)], '3', '2'],
    [
      'by the transition with a matching name',
      [to('1', 'To Do', open), to('2', 'Reopen issue', reopened)],
      '3',
      '2',
    ],
    ['to a status of the category "new"', [to('1', 'Start', progress), to('2', 'Backlog', open)], null, '2'],
    ['to any open status', [to('1', 'Done'), to('2', 'Start', progress)], null, '2'],
  ])('%s', (_, transitions, before, id) => {
    expect(planReopening('WIN-1', transitions, before)).toEqual({ transition: { id } });
  });

  test('fails without a transition back', () => {
    expect(() => planReopening('WIN-1', [to('1', 'Close')], null)).toThrow(
      'no transition from the current status of WIN-1 back',
    );
  });
});
