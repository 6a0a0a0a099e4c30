import { IconUsers } from '@tabler/icons-react';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';

/** Placeholder for the future Assignments screen. */
export function AssignmentsScreen() {
  return (
    <Page width="normal">
      <Card>
        <EmptyState icon={IconUsers} title="Coming Soon">
          Assignments will show who works on which issues, and suggest who could take unassigned issues.
        </EmptyState>
      </Card>
    </Page>
  );
}
