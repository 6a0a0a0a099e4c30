import { IconCopyCheck, IconGitMerge, IconHistory } from '@tabler/icons-react';
import { Link } from 'wouter';
import { IdeTabs } from '../../ide/ide-tabs.tsx';
import { type Point, Points } from '../../ui/points.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';
import classes from './mcp.module.css';

const MCP_POINTS: readonly Point[] = [
  {
    icon: IconGitMerge,
    title: 'One interface',
    text: 'Create, search, update and assign issues on GitHub, GitLab and Jira with the same tools.',
  },
  {
    icon: IconCopyCheck,
    title: 'No new duplicates',
    text: 'Creating an issue returns the likely original first, and files a new one only if you insist.',
  },
  {
    icon: IconHistory,
    title: 'Every write reviewed',
    text: 'Keys can be limited to proposing. Proposed changes wait for a person, step by step.',
  },
];

/** Section about Winnow as an MCP server, with the setup for coding tools. */
export function Mcp() {
  return (
    <Section>
      <div className={classes.head}>
        <SectionHead
          title="Turbocharge your AI Workflow with MCP"
          lead="One endpoint for every tracker. Your coding agent looks for duplicates before it files an issue, and everything it writes is a change you can review."
        />
        <Link href="/whatis-mcp" className="link">
          What is MCP?
        </Link>
      </div>
      <Points points={MCP_POINTS} />
      <IdeTabs />
    </Section>
  );
}
