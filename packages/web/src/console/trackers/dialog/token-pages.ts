const GITHUB = 'https://github.com';

/** The pages of a GitHub (github.com or an Enterprise Server's address) on which tokens are made. */
export function tokenPages(url: string): { fineGrained: string; classic: string } {
  const address = url.trim();
  const parsed = URL.canParse(address) ? new URL(address) : null;
  const isOwn = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.host !== 'api.github.com';
  const origin = isOwn ? parsed.origin : GITHUB;
  return {
    fineGrained: `${origin}/settings/personal-access-tokens/new`,
    classic: `${origin}/settings/tokens/new?scopes=repo,read:org&description=Winnow`,
  };
}
