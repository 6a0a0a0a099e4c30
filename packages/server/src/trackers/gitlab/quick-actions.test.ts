import { describe, expect, test } from 'vitest';
import { extractQuickActions } from '../../../../../tools/emulators/gitlab/quick-actions.ts';
import { withoutQuickActions } from './quick-actions.ts';

describe('a text for GitLab', () => {
  test.each([
    ['/close', '\\/close'],
    ['See below.\n/close\n/label ~bug\nThe end.', 'See below.\n\\/close\n\\/label ~bug\nThe end.'],
    ['/title Other', '\\/title Other'],
    ['  /close', '  \\/close'],
    ['/Close', '\\/Close'],
    ['a\r\n/close\r\nb', 'a\r\n\\/close\r\nb'],
    ['```\nunclosed\n/close', '```\nunclosed\n\\/close'],
  ])('commands nothing by %j', (text, safe) => {
    expect(withoutQuickActions(text)).toBe(safe);
    expect(extractQuickActions(safe).actions).toEqual([]);
  });

  test.each([
    ['a / b'],
    ['/usr/bin/env fails'],
    ['/var/log/app.log'],
    ['closes and/or\nnot/close'],
    ['<!-- winnow:step-1 -->'],
    ['```sh\n/close\n```\nafter'],
    ['already \\/close'],
    [''],
  ])('stays as it is where it commands nothing (%j)', (text) => {
    expect(withoutQuickActions(text)).toBe(text);
  });
});
