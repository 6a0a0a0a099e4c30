// Other features may import this file only.
export { errorTextOf, INTERNAL_ERROR_TEXT } from './error-text.ts';
export { readIssueDetail } from './issue-detail.ts';
export { toolSchema } from './json-schema.ts';
export { findIssue, findProject, findPrompt } from './lookups.ts';
export { parseInput } from './parse-input.ts';
export { namedIssue, presentWrite } from './present.ts';
export type { ToolCaller, ToolServices } from './tool.ts';
export { runTool, scopeOf } from './tools.ts';
export { findWriteTarget, type Target } from './write-target.ts';
