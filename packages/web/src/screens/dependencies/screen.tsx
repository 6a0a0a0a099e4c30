import { Button, Group } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { Link } from 'react-router';
import { projectSegment } from '../../features/issues/project-segment.ts';
import { useProjects } from '../../features/issues/queries.ts';
import { SampleButton } from '../../features/trackers/sample-button.tsx';
import { useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { Card } from '../../ui/card.tsx';
import { ListSkeleton } from '../../ui/data-list/data-list.tsx';
import { useListedShortcuts } from '../../ui/keyboard/shortcuts.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { ProjectDependencies } from './project-dependencies.tsx';
import { PAGE_SIZE, parseSearch, serializeSearch } from './search-params.ts';
import { SHORTCUT_SECTION } from './shortcuts.ts';

/**
 * Issue Dependencies screen: shows which issues block others and why, and commits dependencies to
 * trackers.
 */
export function DependenciesScreen() {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search } = navigation;
  const { data: projects, error, refetch, isFetching } = useProjects();
  useListedShortcuts(SHORTCUT_SECTION);
  if (projects === undefined) {
    return (
      <Page width="full">
        {error === null ? (
          <Card>
            <ListSkeleton label="Loading projects" rows={PAGE_SIZE} />
          </Card>
        ) : (
          <ErrorState
            error={error}
            title="Failed to load projects."
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
      </Page>
    );
  }
  const project = projects.find(({ id }) => projectSegment(id) === search.project) ?? projects[0];
  if (project === undefined) {
    return (
      <Page width="full">
        <Card>
          <EmptyState
            icon={IconSitemap}
            title="Select a Project"
            action={
              <Group justify="center">
                <Button component={Link} to="/console/trackers" variant="filled">
                  Add a tracker
                </Button>
                <SampleButton />
              </Group>
            }
          >
            No projects yet. Connect a tracker to see which of its issues block each other.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <ProjectDependencies
      // Remount when the project changes, since scans and commit requests belong to one project.
      key={project.id}
      project={project}
      projects={projects}
      navigation={navigation}
    />
  );
}
