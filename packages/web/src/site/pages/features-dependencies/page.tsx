import { DEPENDENCIES } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';

/** How dependencies that nobody wrote down are found. */
export function Page() {
  return <FeaturePage feature={DEPENDENCIES} />;
}
