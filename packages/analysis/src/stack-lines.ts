/**
 * Recognizes the output of failing programs. Stack frames and similar lines are removed before
 * texts are compared, because unrelated failures have hundreds of them in common. Lines that report
 * an error are retained, and also compared separately.
 *
 * Each line is matched in linear time. For this, every regular expression has an anchor or starts
 * with a literal, and adjacent quantifiers are bounded.
 */

/** Maximum length of a stack frame. Only this part of a longer line is searched for an error. */
const MAX_FRAME_CHARS = 1000;
/** Maximum characters of an error line that are compared. */
const MAX_ERROR_CHARS = 300;

const LOG_PREFIX =
  /^(?:\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|SEVERE)\]?:?[ \t]+|>[ \t]?|\|[ \t]?)+/i;

const FRAMES: readonly RegExp[] = [
  // Java, Kotlin, Scala, JavaScript and .NET: "at a.b.C.d(C.java:12)", "at f (x.js:1:2)" or
  // "at A.B() in C:\x.cs:line 3"
  /^at [^\s()]{1,400}\((?:[^()]{1,200}:-?\d+|Native Method|Unknown Source|<[^()]{1,50}>)\)/,
  /^at .{1,300} \((?:.{1,500}:\d+|<anonymous>|native|index \d+)\)/,
  /^at [\w$<>`]{1,100}\.[\w$.<>`[\],]{1,300}\([^()]{0,300}\)$/,
  /^at \S{1,500}:\d+(?::\d+)?\)?$/,
  /^at .{1,500} in .{1,300}:line \d+$/,
  /^\.\.\. ?\d+ (?:more|common frames omitted|frames? (?:omitted|truncated))/,
  // Python
  /^Traceback \(most recent call last\)/,
  /^File "[^"]{1,500}", line \d+/,
  // Go
  /^goroutine \d+ \[[^\]]{1,100}\]:?$/,
  /^\/?\S{1,400}\.go:\d+(?: \+0x[0-9a-f]+)?$/,
  /^created by \S{1,300}$/,
  // Rust, gdb, PHP, macOS and Windows crash reports
  /^\d{1,4}: +(?:0x[0-9a-f]+ - )?\S{0,300}::\S{0,300}$/,
  /^#\d{1,4} +(?:0x[0-9a-fA-F]+ |\S{1,300} ?\(.{0,500}\) (?:at|from) \S|\S{1,300}\(\d+\): )/,
  /^#\d{1,4} +\{main\}/,
  /^(?:\d{1,4} +)?\S{1,200} +(?:\S{1,200} +)?0x[0-9a-fA-F]{6,16} .{1,300}\+ ?(?:0x[0-9a-f]+|\d+)/,
  /^\d{1,4}[ \t]+\S{1,100}\.(?:so|dll|dylib|exe)\b/,
  // Firefox JavaScript, Ruby
  /^[^\s@]{0,200}@\S{1,500}:\d+(?::\d+)?$/,
  /^(?:from )?\S{1,400}\.rb:\d+:in [`']?\S/,
];

const THREAD_DUMP: readonly RegExp[] = [
  /^"[^"]{1,200}" .{0,200}\b(?:prio|tid|nid|os_prio)=/,
  /^java\.lang\.Thread\.State: /,
  /^- (?:locked|waiting on|waiting to lock|parking to wait for|eliminated) +</,
  /^Locked (?:ownable )?synchronizers:?$/i,
  /^- (?:None|<0x[0-9a-f]+>)/,
];

const ERROR_WORD =
  /(?:Exception|Error|Failure|Fault|Panic|Warning)\b|\b(?:error|panic|fatal|failed|exception|segfault|SIG(?:SEGV|ABRT|BUS|ILL|KILL)|Segmentation fault|Assertion)\b/;
const EXCEPTION_START =
  /^(?:Caused by: |Suppressed: |Exception in thread "[^"]{0,200}" |Uncaught (?:\(in promise\):? )?|Unhandled (?:(?:[Pp]romise )?[Rr]ejection:? )?)?(?:[A-Za-z_$][\w$]{0,100}(?:\.|::|\/)){0,20}(?:[A-Za-z_$][\w$]{0,100})?(?:Exception|Error|Failure|Fault|Panic)(?=[ \t]{0,9}(?::|$|[[(]|at\b))/;
const MESSAGE_START =
  /^(?:(?:\w{1,40} ?)?(?:error|panic|fatal(?: error)?|failure|assertion failed)(?: ?[[(]?\w{1,20}[\])]?)?: |FATAL\b|E\/|npm ERR)/i;

/** Removes indentation, quote marks and a log level from the start of a line. */
function withoutLogPrefix(line: string): string {
  const trimmed = line.trim();
  const prefix = LOG_PREFIX.exec(trimmed);
  return prefix === null ? trimmed : trimmed.slice(prefix[0].length).trimStart();
}

/**
 * True if a line is part of a stack trace or a thread dump. `line` must not contain a line break.
 */
export function isTraceLine(line: string): boolean {
  if (line.length > MAX_FRAME_CHARS) return false;
  const text = withoutLogPrefix(line);
  return FRAMES.some((frame) => frame.test(text)) || THREAD_DUMP.some((part) => part.test(text));
}

/**
 * Returns the part of a line that reports an error, at most 300 characters. Null if there is none.
 * Recognizes lines that start with an exception or error, and log lines of level ERROR or FATAL
 * that mention one.
 */
export function errorTextOf(line: string): string | null {
  const head = line.slice(0, MAX_FRAME_CHARS).trim();
  const text = withoutLogPrefix(head);
  if (text === '' || isTraceLine(line)) return null;
  const isLogged = /^\[?(?:ERROR|FATAL|SEVERE)\b/.test(head) && ERROR_WORD.test(text);
  if (!isLogged && !EXCEPTION_START.test(text) && !MESSAGE_START.test(text)) return null;
  return text.slice(0, MAX_ERROR_CHARS);
}
