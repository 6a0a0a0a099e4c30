import { StaticContent } from '../../static/static-content.tsx';

/** The page at `/terms`. */
export function Page() {
  return <StaticContent path="/content/terms.md" title="Terms of Service" />;
}
