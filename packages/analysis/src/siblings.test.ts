import { describe, expect, test } from 'vitest';
import { areSiblingTitles } from './siblings.ts';

describe('titles that are not siblings', () => {
  test.each([
    ['Upgrade kafka to 3.4.0', 'Upgrade kafka to 3.4.0'],
    ['Login fails on Chrome', 'Sign-in is broken in Chrome'],
    ['Login fails', 'Login fails on Chrome 115'],
    ['[JDK13] Support HTML5 Javadoc', '[JDK 13] Javadoc HTML5 support'],
    ['Fix properties of journal node', 'Fix properties of JournalNode'],
    ['Test failure in FooTest', 'Testcase failure in FooTest'],
    ['Upgrade Mockito version to 4.11.0', 'Upgrade mockito to 4.11.0'],
    ['Fix Login Failure When Offline', 'Fix Sign-in Failure When Offline Again'],
    ['Add the S3 store', 'Document how Kubernetes is set up'],
    ['', ''],
    ['导出日历时丢失时区', '导出日历时时区丢失'],
    ['設定画面を開くと落ちる', '設定画面を開くとクラッシュする'],
    ['Scanned PDFs are shown sideways', 'PDF preview ignores rotation, scanned pages are shown sideways'],
  ])('%s | %s', (a, b) => {
    expect(areSiblingTitles(a, b)).toBe(false);
    expect(areSiblingTitles(b, a)).toBe(false);
  });
});

describe('titles that are siblings', () => {
  test.each([
    ['Upgrade jetty to 9.4.43', 'Upgrade jetty to 9.4.48'],
    ['Backport HADOOP-1 to branch-3.2', 'Backport HADOOP-1 to branch-3.3'],
    ['Replace X in hadoop-hdfs-project', 'Replace X directly in the hadoop-common-project'],
    ['Crash when opening the editor in Chrome', 'Crash when opening the editor in Safari'],
    ['[ABFS] Support vector reads', '[S3A] Support vector reads'],
    ['Remove usage of sun.misc.Signal', 'Remove usage of sun.misc.Unsafe'],
    ['Update the year to 2022', 'Update the year to 2023'],
    ['将 netty 升级到 4.1.86', '将 netty 升级到 4.1.89'],
    ['Chromeで設定画面を開くと落ちる', 'Safariで設定画面を開くと落ちる'],
    ['在Android上导出日历失败', '在iPadOS上导出日历失败'],
    ['Implement checkArgument precondition', 'Implement checkState precondition'],
  ])('%s | %s', (a, b) => {
    expect(areSiblingTitles(a, b)).toBe(true);
    expect(areSiblingTitles(b, a)).toBe(true);
  });
});
