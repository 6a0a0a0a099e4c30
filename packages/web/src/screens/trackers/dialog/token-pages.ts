const GITHUB = 'https://github.com';
const GITLAB = 'https://gitlab.com';

/** Returns the pages on which users of github.com or a GitHub Enterprise Server create tokens. */
export function gitHubTokenPages(url: string): { fineGrained: string; classic: string } {
  const origin = originOf(url, GITHUB);
  return {
    fineGrained: `${origin}/settings/personal-access-tokens/new`,
    classic: `${origin}/settings/tokens/new?scopes=repo,read:org&description=Winnow`,
  };
}

/** Returns the page on which users of a GitLab server create tokens. */
export function gitLabTokenPage(url: string): string {
  return `${originOf(url, GITLAB)}/-/user_settings/personal_access_tokens?name=Winnow&scopes=api`;
}

/** Page on which users of Atlassian Cloud create tokens, for all sites. */
export const ATLASSIAN_TOKEN_PAGE = 'https://id.atlassian.com/manage-profile/security/api-tokens';

/**
 * Returns the origin of a web address. Returns `otherwise` if the address is invalid or belongs to
 * api.github.com.
 */
function originOf(url: string, otherwise: string): string {
  const address = url.trim();
  const parsed = URL.canParse(address) ? new URL(address) : null;
  const isOwn = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.host !== 'api.github.com';
  return isOwn ? parsed.origin : otherwise;
}
