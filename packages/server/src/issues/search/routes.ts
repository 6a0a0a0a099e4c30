import { skipOf } from '@winnow/contract/primitives';
import { issueMap, mapQuery, searchQuery, searchResults } from '@winnow/contract/search';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, principalOf } from '../../platform/http/auth.ts';
import type { IssueMaps } from './map.ts';
import { presentHit } from './present.ts';
import type { Search } from './service.ts';

const tags = ['Issues'];

/** Registers the routes for the search and for the map of issues. */
export function registerSearchRoutes(
  app: App,
  { search, maps, auth }: { search: Search; maps: IssueMaps; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/search',
    { onRequest, schema: { tags, querystring: searchQuery, response: { 200: searchResults } } },
    async (request, reply) => {
      const { query, search_type, item_types, status, project_id, region, cluster_id, include, limit } =
        request.query;
      const skip = skipOf(request.query);
      const found = await search.search(principalOf(request).accountId, {
        query,
        searchType: search_type,
        itemTypes: item_types,
        status,
        projects: project_id,
        region,
        clusterId: cluster_id,
        withIds: include === 'ids',
        limit,
        skip,
      });
      reply.header('x-total-count', found.total);
      return {
        results: found.hits.map(presentHit),
        total: found.total,
        total_is_capped: found.isCapped,
        limit,
        skip,
        search_type,
        notice: found.notice,
        region_total: found.regionTotal,
        ...(found.ids === undefined ? {} : { ids: found.ids }),
      };
    },
  );

  app.get(
    '/api/v1/embeddings',
    {
      config: { isHeavy: true },
      onRequest,
      schema: { tags, querystring: mapQuery, response: { 200: issueMap } },
    },
    async (request) => {
      const { project_ids: projects, status, include } = request.query;
      const withVectors = include === 'vectors';
      return maps.draw(principalOf(request).accountId, { projects, status, withVectors });
    },
  );
}
