import { Link } from 'wouter';
import { IdeTabs } from '../../ide/ide-tabs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Actions } from '../../ui/section.tsx';
import classes from './page.module.css';

/** What the Model Context Protocol is, and what Winnow does with it. */
export function Page() {
  return (
    <article className={classes.article}>
      <h1>What is MCP?</h1>
      <p className={classes.lead}>
        The Model Context Protocol is an open standard by which AI tools use other programs: one protocol in
        place of a plug-in for every pair of them.
      </p>

      <h2>How it works</h2>
      <p>
        An AI tool such as a coding agent is the client. A program that has something to offer is the server:
        it lists its tools, each with a description and the shape of what goes in and comes out. When the
        model decides that a tool helps, the client calls it and hands the answer back. The model sees only
        what the tools answer, and can do only what they allow.
      </p>

      <h2>Winnow as an MCP server for issue trackers</h2>
      <p>
        Winnow puts the issues of all your trackers behind one such server, so that Claude Code, Cursor or
        Windsurf can work with them while you work on the code:
      </p>
      <ul>
        <li>
          <b>Search</b> issues by words or by meaning, and read them with their comments as context.
        </li>
        <li>
          <b>Create</b> an issue, and get the likely original first when somebody has reported it already.
        </li>
        <li>
          <b>Update and assign</b> issues across GitHub, GitLab and Jira with the same tools.
        </li>
        <li>
          <b>Close duplicates</b> in each tracker’s own way.
        </li>
      </ul>
      <p>
        What a tool writes goes through the same ledger as what people do: it is recorded with who did it, and
        it can be undone. A key may be limited to reading, or to proposing; then a person decides.
      </p>

      <h2>How to start</h2>
      <p>
        The endpoint is <code>/mcp</code>, spoken over Streamable HTTP, with an API key as bearer token in the{' '}
        <code>Authorization</code> header. To see what an agent would work with, look around in the console
        first: it has a sample backlog. The{' '}
        <Link href="/docs#mcp" className="link">
          documentation
        </Link>{' '}
        lists the tools, and the set-up for more of them than these three.
      </p>
      <div className={classes.setup}>
        <IdeTabs />
      </div>
      <Actions>
        <ButtonLink href="/register" kind="primary" size="lg" newTab>
          Sign up
        </ButtonLink>
        <ButtonLink href="/" size="lg">
          Back to Home
        </ButtonLink>
      </Actions>
    </article>
  );
}
