import { DEPENDENCIES } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';

/** The page at `/features/dependencies`. */
export function Page() {
  return <FeaturePage feature={DEPENDENCIES} />;
}
