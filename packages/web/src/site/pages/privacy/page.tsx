import { StaticContent } from '../../static/static-content.tsx';

/** The page at `/privacy`. */
export function Page() {
  return <StaticContent path="/content/privacy.md" title="Privacy Policy" />;
}
