import type { ExecutionLog, LogType } from '@winnow/contract/flow';
import { describe, expect, test } from 'vitest';
import { mergeEntries } from './log-entries.ts';
import { logView } from './log-view.ts';

function entry(seq: number, type: LogType = 'status', payload: ExecutionLog['payload'] = {}): ExecutionLog {
  return { seq, timestamp: '2026-11-22T10:00:00.000Z', type, payload };
}

describe('entries', () => {
  test('merges log entries in order, without duplicates', () => {
    const merged = mergeEntries([entry(1), entry(4)], [entry(2), entry(3), entry(4), entry(5)]);
    expect(merged.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('logView', () => {
  test('formats a call with its tool and arguments', () => {
    const view = logView(entry(1, 'tool_call', { tool: 'winnow/get_issue', arguments: { issue: 'a#1' } }));
    expect(view.line).toBe('winnow/get_issue');
    expect(view.parts).toEqual([{ label: 'Arguments', content: '{\n  "issue": "a#1"\n}' }]);
  });

  test('formats a failed call with its reason', () => {
    const view = logView(entry(1, 'tool_result', { tool: 'wiki/edit', result: 'Not found.', failed: true }));
    expect(view).toMatchObject({ tone: 'danger', parts: [{ label: 'Why', content: 'Not found.' }] });
  });

  test('formats a model turn with tokens and cost', () => {
    const payload = { model: 'Ours', iteration: 2, tokens: { input: 1200, output: 30 }, cost: 0.016 };
    expect(logView(entry(1, 'model_call', payload)).line).toBe(
      'Ours, turn 2, 1,200 tokens in, 30 tokens out, $0.02',
    );
    expect(logView(entry(1, 'model_call', { ...payload, cost: null })).line).toContain('price unknown');
  });

  test('formats the end of an execution with its status, and a failure with its reason', () => {
    expect(logView(entry(1, 'status', { status: 'SUCCEEDED' })).line).toBe('Succeeded');
    expect(logView(entry(1, 'error', { status: 'FAILED', reason: 'It took too long.' })).text).toBe(
      'It took too long.',
    );
  });

  test.each([
    'event',
    'prompt',
    'model_call',
    'message',
    'tool_call',
    'tool_result',
    'change',
    'status',
    'error',
  ] as const)('formats an empty %s entry', (type) => {
    const { line, text } = logView(entry(1, type));
    expect(`${line}${text ?? ''}`).not.toBe('');
  });
});
