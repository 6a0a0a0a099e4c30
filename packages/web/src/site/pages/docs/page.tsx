import { StaticContent } from '../../static/static-content.tsx';

/** The page at `/docs`. */
export function Page() {
  return <StaticContent path="/content/docs.md" title="Documentation" />;
}
