/** Returns the first segment (8 hex digits) of a project id. It represents the project in URLs. */
export function projectSegment(projectId: string): string {
  return projectId.slice(0, 8).toLowerCase();
}

/** Parses a comma-separated list of project id segments. Drops invalid segments and duplicates. */
export function readProjects(text: string | null): readonly string[] {
  const segments = (text ?? '').split(',').map((part) => part.trim().toLowerCase());
  return [...new Set(segments.filter((segment) => /^[0-9a-f]{8}$/.test(segment)))];
}
