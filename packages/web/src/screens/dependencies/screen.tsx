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
 * Issue Dependencies: what has to be finished before what, why that is thought, and saying so in
 * the tracker.
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
            There is no project to choose from yet. Once a tracker is connected, what its issues wait for is
            found here.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <ProjectDependencies
      // What was scanned and asked for belongs to its project.
      key={project.id}
      project={project}
      projects={projects}
      navigation={navigation}
    />
  );
}
