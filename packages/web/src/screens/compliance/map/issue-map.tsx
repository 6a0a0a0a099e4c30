import { Loader, SegmentedControl } from '@mantine/core';
import { IconGrain, IconLoader } from '@tabler/icons-react';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { IssueMap as IssueMapAnswer, MapPoint, MapRegion } from '@winnow/contract/search';
import { useMemo } from 'react';
import { scoreText } from '../../../features/compliance/score.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import type { ComplianceSearch, MapColor } from '../search-params.ts';
import { themeLabels } from './labels.ts';
import classes from './map.module.css';
import { MapCanvas } from './map-canvas.tsx';
import { MapLegend } from './map-legend.tsx';
import { scoreStyles, themeName, themeStyles } from './point-styles.ts';
import { isPreparing, useFoundIssues, useIssueMap, useKnownScores } from './queries.ts';

/** Minimum number of issues for which a map is displayed. Fewer issues form no groups. */
const MIN_POINTS = 3;
const NO_SCORES: ReadonlyMap<string, number> = new Map();

export type IssueMapProps = {
  search: ComplianceSearch;
  /** The selected prompt; undefined while prompts are loading. */
  prompt: CompliancePrompt | undefined;
  onColor: (color: MapColor) => void;
  onOpen: (issueId: string) => void;
  /**
   * Called when the region changes. If `replace` is true, the change adds no entry to the browser
   * history.
   */
  onRegion: (region: MapRegion | null, options?: { replace: boolean }) => void;
};

/** Number of points that match the search, and whether the server has limited this number. */
type SearchHits = { count: number; isCapped: boolean };

/** States which issues are not on the map, and which issues are faded. */
function notesOf({ data, missing, capped_at: cappedAt }: IssueMapAnswer, hits: SearchHits | null): string[] {
  const notes: string[] = [];
  if (hits !== null) {
    const [count, all] = [countText(hits.count), countText(data.length)];
    notes.push(
      hits.isCapped
        ? `Too many matches to show them all: the best ${count} of ${all} issues are highlighted, the others are faded.`
        : `${count} of ${all} issues match the search; the others are faded.`,
    );
  }
  if (cappedAt !== null) {
    notes.push(
      `Only ${countText(cappedAt)} issues are shown, about the same number from each project. Select projects to see more of their issues.`,
    );
  }
  if (missing > 0) {
    notes.push(
      missing === 1
        ? '1 issue has no position yet. It appears automatically.'
        : `${countText(missing)} issues have no position yet. They appear automatically.`,
    );
  }
  return notes;
}

/** The map of issues with notes and a legend. */
function LoadedMap({ map, search, prompt, ...actions }: IssueMapProps & { map: IssueMapAnswer }) {
  const { data } = map;
  const isByScore = search.color === 'score';
  const found = useFoundIssues(search);
  const scores = useKnownScores(isByScore && prompt !== undefined ? prompt.id : null, search);
  const scoreOf = scores.data ?? NO_SCORES;
  const styles = useMemo(
    () => (isByScore ? scoreStyles(data, scoreOf) : themeStyles(map)),
    [isByScore, map, data, scoreOf],
  );
  const labels = useMemo(() => (isByScore ? [] : themeLabels(data, styles)), [isByScore, data, styles]);
  const isHighlighted = useMemo(
    () => found && Uint8Array.from(data, ({ issue_id: id }) => (found.ids.has(id) ? 1 : 0)),
    [found, data],
  );
  const nameOf = useMemo(
    () => new Map(map.clusters.map((theme) => [theme.cluster_id, themeName(theme)])),
    [map],
  );
  const noteOf = ({ issue_id: id, cluster_id: theme }: MapPoint) => {
    if (!isByScore) return theme === null ? 'No theme' : `Theme: ${nameOf.get(theme)}`;
    const score = scoreOf.get(id);
    return score === undefined ? 'Not scored yet' : `${prompt?.short_name ?? 'Score'}: ${scoreText(score)}`;
  };
  const hits = found &&
    isHighlighted && {
      count: isHighlighted.reduce((sum, highlighted) => sum + highlighted, 0),
      isCapped: found.isCapped,
    };
  return (
    <>
      {notesOf(map, hits).map((note) => (
        <p className={classes.note} key={note}>
          {note}
        </p>
      ))}
      {isByScore && scores.error !== null ? (
        <ErrorState
          error={scores.error}
          title="Scores could not be loaded"
          onRetry={() => void scores.refetch()}
          retrying={scores.isFetching}
        />
      ) : null}
      <MapCanvas
        points={data}
        styles={styles}
        labels={labels}
        isHighlighted={isHighlighted}
        region={search.region}
        selectedId={search.selectedIssue}
        noteOf={noteOf}
        onOpen={actions.onOpen}
        onRegion={actions.onRegion}
      />
      <MapLegend styles={styles} by={search.color} />
    </>
  );
}

/** Explains why no map is displayed, and what the user can do. */
function MissingMap({ map }: { map: IssueMapAnswer | undefined }) {
  if (map === undefined || map.missing > 0) {
    return (
      <EmptyState icon={IconLoader} title="Preparing the map">
        {map === undefined
          ? 'It appears here automatically in a few seconds.'
          : 'Issues appear here automatically once their texts have been compared by meaning.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconGrain} title="A map needs three issues or more">
      Choose more projects or another status to see which issues are similar.
    </EmptyState>
  );
}

/**
 * Map that displays issues as points, with similar issues close together. Dragging selects a
 * region, which filters the issue list.
 */
export function IssueMap(props: IssueMapProps) {
  const { search, onColor } = props;
  const { data, error, refetch, isFetching } = useIssueMap(search);
  // The issue list already explains why there are no issues.
  if (data !== undefined && data.data.length + data.missing === 0) return null;
  if (data === undefined && error !== null && !isPreparing(error)) {
    return (
      <ErrorState
        error={error}
        title="The map could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const isDrawn = data !== undefined && data.data.length >= MIN_POINTS;
  return (
    <Card
      title="Similarity map"
      beside={<span className={classes.hint}>Drag over issues to list only those.</span>}
      actions={
        <SegmentedControl
          aria-label="Color by"
          data={[
            { value: 'theme', label: 'Theme' },
            { value: 'score', label: props.prompt?.short_name ?? 'Score' },
          ]}
          value={search.color}
          onChange={(value) => onColor(value === 'score' ? 'score' : 'theme')}
        />
      }
    >
      {data === undefined && error === null ? (
        <Loading label="Loading the map">
          <div className={classes.loading}>
            <Loader size="sm" />
            Loading the map…
          </div>
        </Loading>
      ) : null}
      {isDrawn ? <LoadedMap {...props} map={data} /> : null}
      {!isDrawn && (data !== undefined || error !== null) ? <MissingMap map={data} /> : null}
    </Card>
  );
}
