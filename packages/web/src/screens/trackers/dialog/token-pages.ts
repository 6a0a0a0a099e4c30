const GITHUB = 'https://github.com';
const GITLAB = 'https://gitlab.com';

/** The pages of a GitHub (github.com or an Enterprise Server's address) on which tokens are made. */
export function gitHubTokenPages(url: string): { fineGrained: string; classic: string } {
  const origin = originOf(url, GITHUB);
  return {
    fineGrained: `${origin}/settings/personal-access-tokens/new`,
    classic: `${origin}/settings/tokens/new?scopes=repo,read:org&description=Winnow`,
  };
}

/** The page of a GitLab on which a token is made. */
export function gitLabTokenPage(url: string): string {
  return `${originOf(url, GITLAB)}/-/user_settings/personal_access_tokens?name=Winnow&scopes=api`;
}

/** Where Atlassian's tokens are made, for all sites of its cloud. */
export const ATLASSIAN_TOKEN_PAGE = 'https://id.atlassian.com/manage-profile/security/api-tokens';

/** The origin of a web address; `otherwise` for what is none, and for an API's own host. */
function originOf(url: string, otherwise: string): string {
  const address = url.trim();
  const parsed = URL.canParse(address) ? new URL(address) : null;
  const isOwn = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.host !== 'api.github.com';
  return isOwn ? parsed.origin : otherwise;
}
