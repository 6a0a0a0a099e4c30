import { extractQuickActions } from '@winnow/emulators/gitlab/quick-actions';
import { describe, expect, test } from 'vitest';
import { withoutQuickActions } from './quick-actions.ts';

describe('a text for GitLab', () => {
  test.each([
    ['/close', '\\/close'],
    ['See below.\n/close\n/label ~bug\nThe end.', 'See below.\n\\/close\n\\/label ~bug\nThe end.'],
    ['/title Other', '\\/title Other'],
    ['  /close', '  \\/close'],
    ['/Close', '\\/Close'],
    ['a\r\n/close\r\nb', 'a\n\\/close\nb'],
    ['/\rclose', '/\nclose'],
    ['text\r/\rclose', 'text\n/\nclose'],
    ['a\r/close', 'a\n\\/close'],
    ['```\n```\n/close\n```', '```\n```\n\\/close\n```'],
    ['~~~\n```\n~~~\n/close\n```', '~~~\n```\n~~~\n\\/close\n```'],
    ['````\n```\n````\n/close\n```', '````\n```\n````\n\\/close\n```'],
    ['<!--\n```\n-->\n/close\n<!--\n```\n-->', '<!--\n```\n-->\n\\/close\n<!--\n```\n-->'],
    ['<!-- a -->\n/close', '<!-- a -->\n\\/close'],
    ['---\n```\n---\n/close\n```', '---\n```\n---\n\\/close\n```'],
    ['>>>\n```\n>>>\n/close\n```', '>>>\n```\n>>>\n\\/close\n```'],
    ['> x\n/close', '> x\n\\/close'],
    ['```\nunclosed\n/close', '```\nunclosed\n\\/close'],
  ])('has its commands escaped: %j', (text, safe) => {
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
    ['~~~\n/close\n~~~'],
    ['````\n```\n/close\n````'],
    ['- a\n\n  ```\n  /close\n  ```'],
    ['    /close'],
    ['already \\/close'],
    [''],
  ])('is unchanged without commands (%j)', (text) => {
    expect(withoutQuickActions(text)).toBe(text);
  });

  test.each([
    ['/close', ['close']],
    ['/\rclose', ['close']],
    ['a\n/CLOSE \nb', ['close']],
    ['```\n```\n/close\n```', ['close']],
    ['<!--\n```\n-->\n/close', ['close']],
    ['>>>\n```\n>>>\n/close', ['close']],
    ['---\n```\n---\n/close', ['close']],
    ['```\n/close\n```', []],
    ['~~~\n/close', []],
    ['<div>\n/close\n</div>', []],
    ['>>>\n/close\n>>>', []],
    ['\\/close', []],
  ])('triggers the same commands in the emulator as in GitLab (%j)', (text, names) => {
    expect(extractQuickActions(text).actions.map(({ name }) => name)).toEqual(names);
  });
});
