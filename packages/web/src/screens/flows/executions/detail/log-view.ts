import {
  EXECUTION_STATUSES,
  type ExecutionLog,
  type ExecutionStatus,
  type LogType,
} from '@winnow/contract/flow';
import type { Tone } from '../../../../theme/tones.ts';
import { countText } from '../../../../ui/texts/count-text.ts';
import { dollarsText, eventText } from '../../flow-texts.ts';

/** A log entry, prepared for display. */
export interface LogView {
  tone: Tone;
  /** Summary of the log entry in one line. */
  line: string;
  /** True if `line` is an identifier, such as the name of a tool. */
  isName: boolean;
  /** Text of a message, displayed below the line. Null if the entry has no message. */
  text: string | null;
  /** Details that the user can expand. */
  parts: readonly { label: string; content: string }[];
  /** Id of the change that the entry reports; null if it reports none. */
  changeId: string | null;
}

/** Label of each type of log entry. */
export const LOG_LABELS: Record<LogType, string> = {
  event: 'Event',
  prompt: 'Prompt',
  model_call: 'Model',
  message: 'Message',
  tool_call: 'Tool call',
  tool_result: 'Result',
  change: 'Change',
  status: 'Status',
  error: 'Error',
};

const PLAIN_LINE = { tone: 'neutral', isName: false, text: null, parts: [], changeId: null } as const;

type Payload = ExecutionLog['payload'];

function text(payload: Payload, name: string): string | null {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(payload: Payload, name: string): number | null {
  const value = payload[name];
  return typeof value === 'number' ? value : null;
}

/** Formats a value for display. A text is unchanged, any other value becomes JSON. */
function contentText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

function part(payload: Payload, name: string, label: string): LogView['parts'] {
  const value = payload[name];
  return value === undefined || value === null || value === ''
    ? []
    : [{ label, content: contentText(value) }];
}

function modelLine(payload: Payload): string {
  const { tokens } = payload;
  const counts = typeof tokens === 'object' && tokens !== null && !Array.isArray(tokens) ? tokens : {};
  const cost = number(payload, 'cost');
  const tokenWords = (['input', 'output'] as const).flatMap((way) => {
    const count = number(counts, way);
    return count === null ? [] : [`${countText(count)} tokens ${way === 'input' ? 'in' : 'out'}`];
  });
  const turn = number(payload, 'iteration');
  return [
    text(payload, 'model') ?? 'Language model',
    ...(turn === null ? [] : [`turn ${turn}`]),
    ...tokenWords,
    cost === null ? 'price unknown' : dollarsText(cost),
  ].join(', ');
}

function isStatus(status: string): status is ExecutionStatus {
  return Object.hasOwn(EXECUTION_STATUSES, status);
}

function statusLine(payload: Payload): string {
  const status = text(payload, 'status');
  if (status === null) return text(payload, 'notice') ?? 'Note';
  return isStatus(status) ? EXECUTION_STATUSES[status].label : status;
}

/**
 * Prepares a log entry for display. Entries in an unknown format, as newer servers may send, are
 * displayed as JSON.
 */
export function logView({ type, payload }: ExecutionLog): LogView {
  const tool = text(payload, 'tool') ?? 'Tool';
  switch (type) {
    case 'event': {
      const about = text(payload, 'issue_key') ?? text(payload, 'project');
      return {
        ...PLAIN_LINE,
        tone: 'info',
        line: [eventText(text(payload, 'type')), about].filter((word) => word !== null).join(', '),
        parts: [{ label: 'Event', content: contentText(payload) }],
      };
    }
    case 'prompt':
      return {
        ...PLAIN_LINE,
        line: 'Instructions for the model',
        parts: [
          ...part(payload, 'prompt', 'Prompt'),
          ...part(payload, 'system', 'System prompt'),
          ...part(payload, 'tools', 'Tools'),
        ],
      };
    case 'model_call':
      return { ...PLAIN_LINE, line: modelLine(payload) };
    case 'message':
      return { ...PLAIN_LINE, tone: 'accent', line: '', text: text(payload, 'text') ?? contentText(payload) };
    case 'tool_call':
      return {
        ...PLAIN_LINE,
        tone: 'accent',
        line: tool,
        isName: true,
        parts: part(payload, 'arguments', 'Arguments'),
      };
    case 'tool_result': {
      const failed = payload.failed === true;
      return {
        ...PLAIN_LINE,
        tone: failed ? 'danger' : 'success',
        line: failed ? `${tool} failed` : tool,
        isName: true,
        parts: part(payload, 'result', failed ? 'Why' : 'Result'),
      };
    }
    case 'change':
      return {
        ...PLAIN_LINE,
        tone: 'warning',
        line: text(payload, 'summary') ?? tool,
        changeId: text(payload, 'change_id'),
      };
    case 'status':
      return { ...PLAIN_LINE, line: statusLine(payload) };
    case 'error':
      return {
        ...PLAIN_LINE,
        tone: 'danger',
        line: '',
        text: text(payload, 'reason') ?? text(payload, 'text') ?? contentText(payload),
      };
  }
}
